import cluster from 'node:cluster'
import { ErrorException } from '../../src/errors/crash-reports/error-exception.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import type { ServerOptions } from '../../src/http/server/options.ts'
import { Server } from '../../src/http/server/server.ts'
import { workerIdentity } from '../../src/http/server/fleet/workers.ts'

// A server that can run out of memory, in workers with little of it. Takes its options
// as JSON and prints what happens.
const options: ServerOptions = JSON.parse(process.argv[2] ?? '{}')

if (cluster.isPrimary) {
  cluster.setupPrimary({ execArgv: [...process.execArgv, '--max-old-space-size=64'] })
}
const throwables = createThrowables()
throwables.reporters.push((error, context) => {
  const severity = error instanceof ErrorException ? error.severity : null
  tell({ reported: error.name, message: error.message, severity, context, by: process.pid })
})
const log = (message: string, context: Record<string, unknown>): void => {
  tell({ log: message, ...context })
}
const server = new Server({ throwables, log, reporter: null }).configure({ port: 0, ...options })
server.router
  .get('/pid', (_request, response) => response.text(String(process.pid)))
  .get('/eat', async () => {
    const eaten: unknown[] = []
    for (;;) eaten.push(Array.from({ length: 1_000 }, (_, at) => ({ at })))
  })
const { port } = await server.listen()
tell(cluster.isWorker ? { worker: process.pid, slot: workerIdentity().slot } : { port })

function tell(report: object): void {
  process.stdout.write(`${JSON.stringify({ ...report, atMs: Date.now() })}\n`)
}
