import { readFile } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Password } from '../../src/app/security/password.ts'
import { createThrowables } from '../../src/base/debugging/throwables.ts'
import { Server } from '../../src/web/server/server.ts'

/** What the script takes as JSON. */
export interface LoginLoadOptions {
  /** Seconds a login may wait for its turn. */
  readonly wait: number
}

/** What `/delays` tells, and then forgets. */
export interface Delays {
  /** The 99th percentile of the delay of the event loop. */
  readonly p99Ms: number
  /** How many delays were seen. */
  readonly count: number
}

const given: LoginLoadOptions = JSON.parse(process.argv[2] ?? '{}')
const password = new Password({ wait: given.wait })
const stored = await password.hash('tin lamp under eleven roofs')
const throwables = createThrowables()
throwables.reporters.push((error, context) => {
  tell({ reported: error.name, suppressed: context['suppressed'] })
})
const delays = monitorEventLoopDelay({ resolution: 1 })
const server = new Server({ environment: 'production', throwables, reporter: null })
server.configure({ port: 0 })
server.router
  .get('/login/:password', async (request, response) => {
    const { valid } = await password.inspect(request.params.password, stored)
    return response.status(valid ? 200 : 401).text('')
  })
  .get('/ping', (_request, response) => response.text('pong'))
  .get('/file', async (_request, response) => {
    return response.text(await readFile(import.meta.filename, 'utf8'))
  })
  .get('/delays', (_request, response) => {
    delays.disable()
    const { count } = delays
    const seen: Delays = { p99Ms: delays.percentile(99) / 1e6, count }
    delays.reset()
    delays.enable()
    return response.json(seen)
  })
const { port } = await server.listen()
tell({ port })

function tell(report: object): void {
  process.stdout.write(`${JSON.stringify(report)}\n`)
}
