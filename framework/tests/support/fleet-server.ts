import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Handler } from '../../src/http/router/route.ts'
import type { ServerOptions } from '../../src/http/server/options.ts'
import { Server } from '../../src/http/server/server.ts'
import { workerIdentity } from '../../src/http/server/fleet/workers.ts'
import { longLimits } from './long-timeouts.ts'

/** The options of the script, as JSON. */
export interface FleetServerOptions {
  readonly server?: ServerOptions
  /** While this file exists, workers die as soon as they start. */
  readonly curse?: string
  /** Requests for /gate are answered once this file or that of their worker, `<gate>.<pid>`, exists. */
  readonly gate?: string
  /** Workers wait for this file before they listen. */
  readonly start?: string
  /** Workers throw before they listen. */
  readonly throws?: boolean
}

const given: FleetServerOptions = JSON.parse(process.argv[2] ?? '{}')

if (cluster.isWorker) {
  if (given.curse !== undefined && existsSync(given.curse)) process.exit(7)
  if (given.throws === true) throw new Error('the project does not boot')
  tell({ starting: process.pid })
  while (given.start !== undefined && !existsSync(given.start)) await sleep(10)
}

const log = (message: string, context: Record<string, unknown>): void => {
  tell({ log: message, ...context })
}
const limits = { ...longLimits, ...given.server?.limits }
const options = { port: 0, health: '/health', drainTimeout: 3_600, ...given.server, limits }
const server = new Server({ log }).configure(options)
server.router
  .get('/pid', (_request, response) => response.text(String(process.pid)))
  .get('/gate', async (request, response) => {
    tell({ began: request.URI })
    while (!isOpen(given.gate ?? '')) await sleep(10)
    return response.text(String(process.pid))
  })
  .get('/memory', (_request, response) => {
    globalThis.gc?.()
    const connections = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap')
    return response.json({ ...process.memoryUsage(), connections: connections.length })
  })
const upload: Handler = async (request, response) => {
  const { files } = await request.form()
  tell({ stored: process.pid })
  while (!isOpen(given.gate ?? '')) await sleep(10)
  return response.text(String(files[0]?.size))
}
server.router.post('/upload', upload, { uploads: {} })
const { port } = await server.listen()
tell(cluster.isWorker ? { worker: process.pid, slot: workerIdentity().slot } : { port })

function isOpen(gate: string): boolean {
  return existsSync(gate) || existsSync(`${gate}.${process.pid}`)
}

// One write per line: the processes of a fleet share the pipe.
function tell(report: object): void {
  process.stdout.write(`${JSON.stringify(report)}\n`)
}
