import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/database/surface.ts'
import { Throwables } from '../../src/errors/throwables/throwables.ts'
import { Counter } from '../../src/metrics/instruments/counter.ts'
import { Observability } from '../../src/metrics/observability.ts'
import { ObservabilityRoutes } from '../../src/devtools/observability/observability.ts'
import { workerIdentity } from '../../src/http/server/fleet/workers.ts'
import type { ServerOptions } from '../../src/http/server/options.ts'
import { Server } from '../../src/http/server/server.ts'

interface Given extends ServerOptions {
  /** Whether uncaught throwables are handled as by the `framework` command. */
  readonly install?: boolean
  /** The second worker waits for this file before it listens; the first one prints the port. */
  readonly start?: string
}

// A fleet with metrics. Takes server options as JSON and prints its port and its workers.
const { install = false, start, ...given }: Given = JSON.parse(process.argv[2] ?? '{}')

// Small enough for /eat to end a worker soon.
if (cluster.isPrimary) {
  cluster.setupPrimary({ execArgv: [...process.execArgv, '--max-old-space-size=96'] })
}
if (install) Throwables.install()

const server = new Server({
  environment: 'production',
  reporter: null,
  log: (message, context) => tell({ log: message, ...context }),
}).configure({ port: 0, ...given })
server.mount([ObservabilityRoutes], {})
server.ready('always', () => true)
const work = new Counter('work_seconds_total', { help: 'Sums of fractions.' })
const kinds = Array.from({ length: 50 }, (_, kind) => work.with({ kind: String(kind) }))
let worked = 0
Observability.follow(({ metrics }) => metrics.push(work))
server.router
  .get('/pid', (_request, response) => {
    kinds[(worked += 1) % kinds.length]?.increment(Math.random() / 3)
    return response.text(String(process.pid))
  })
  .get('/query/:id', async ({ params }) => {
    await (await database()).rows({ sql: 'SELECT ? AS "id"', parameters: [params.id] })
    return String(process.pid)
  })
  .get('/eat', () => {
    const eaten: unknown[] = []
    for (;;) eaten.push(Array.from({ length: 1_000 }, (_, at) => ({ at })))
  })
  .get('/boom', () => {
    throw new Error('on purpose')
  })
  .get('/crash', (_request, response) => {
    setImmediate(() => {
      throw new Error('on purpose, and nobody catches it')
    })
    return response.text('')
  })
  .get('/reject', (_request, response) => {
    void Promise.reject(new Error('on purpose, and nobody waits for it'))
    return response.text('')
  })
// Opened on demand: most tests need none.
let opened: Promise<Database> | null = null
async function database(): Promise<Database> {
  const { connect } = await import('../../src/database/connect.ts')
  opened ??= connect('sqlite::memory:')
  return opened
}

Throwables.reporters.push(() => tell({ reported: process.pid }))
if (start !== undefined && cluster.isWorker && workerIdentity().slot === 2) {
  while (!existsSync(start)) await sleep(10)
}
const { port } = await server.listen()
if (cluster.isWorker) tell({ worker: process.pid, ...(start !== undefined && { port }) })
else tell({ port })

// One write per line: the processes of a fleet share the pipe.
function tell(report: object): void {
  process.stdout.write(`${JSON.stringify(report)}\n`)
}
