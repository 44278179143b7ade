import { readFile } from 'node:fs/promises'
import { Password } from '../../src/accounts/passwords/password.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import { Server } from '../../src/http/server/server.ts'

/** The options of the script, as JSON. */
export interface LoginLoadOptions {
  /** Seconds that a login may wait for its turn. */
  readonly wait: number
}

/** The response of `/work`: the CPU time since the last request for it. */
export interface Work {
  /** Of the thread that runs the event loop. */
  readonly loopMs: number
  /** Of the whole process, with the threads that hash. */
  readonly allMs: number
}

const given: LoginLoadOptions = JSON.parse(process.argv[2] ?? '{}')
const password = new Password({ wait: given.wait })
const stored = await password.hash('tin lamp under eleven roofs')
const throwables = createThrowables()
throwables.reporters.push((error, context) => {
  tell({ reported: error.name, suppressed: context['suppressed'] })
})
let before = worked()
const server = new Server({ environment: 'production', throwables, reporter: null })
server.configure({ port: 0, trustedProxies: ['127.0.0.1'] })
server.router
  .get('/login/:password', async (request, response) => {
    const { peer } = request
    const { valid } = await password.inspect(request.params.password, stored, { peer })
    return response.status(valid ? 200 : 401).text('')
  })
  .get('/ping', (_request, response) => response.text('pong'))
  .get('/file', async (_request, response) => {
    return response.text(await readFile(import.meta.filename, 'utf8'))
  })
  .get('/work', (_request, response) => {
    const now = worked()
    const since = { loopMs: now.loopMs - before.loopMs, allMs: now.allMs - before.allMs }
    before = now
    return response.json(since)
  })
const { port } = await server.listen()
tell({ port })

function tell(report: object): void {
  process.stdout.write(`${JSON.stringify(report)}\n`)
}

function worked(): Work {
  const [loop, all] = [process.threadCpuUsage(), process.cpuUsage()]
  return { loopMs: (loop.user + loop.system) / 1000, allMs: (all.user + all.system) / 1000 }
}
