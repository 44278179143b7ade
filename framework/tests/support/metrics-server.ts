import cluster from 'node:cluster'
import { Throwables } from '../../src/base/debugging/throwables.ts'
import { Observability } from '../../src/web/routes/observability.ts'
import type { ServerOptions } from '../../src/web/server/options.ts'
import { Server } from '../../src/web/server/server.ts'

// A fleet that measures itself. Takes server options as JSON and tells its port and its workers.
const given: ServerOptions = JSON.parse(process.argv[2] ?? '{}')

// Little enough that /eat ends a worker soon.
if (cluster.isPrimary) {
  cluster.setupPrimary({ execArgv: [...process.execArgv, '--max-old-space-size=96'] })
}

const server = new Server({
  environment: 'production',
  reporter: null,
  log: (message, context) => tell({ log: message, ...context }),
}).configure({ port: 0, ...given })
server.mount([Observability], {})
server.ready('always', () => true)
server.router
  .get('/pid', (_request, response) => response.text(String(process.pid)))
  .get('/eat', () => {
    const eaten: unknown[] = []
    for (;;) eaten.push(Array.from({ length: 1_000 }, (_, at) => ({ at })))
  })
  .get('/boom', () => {
    throw new Error('on purpose')
  })
Throwables.reporters.push(() => tell({ reported: process.pid }))
const { port } = await server.listen()
tell(cluster.isWorker ? { worker: process.pid } : { port })

// One write a line: the processes of a fleet share the pipe.
function tell(report: object): void {
  process.stdout.write(`${JSON.stringify(report)}\n`)
}
