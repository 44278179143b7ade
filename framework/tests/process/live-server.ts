import cluster from 'node:cluster'
import { connect } from '../../src/database/connect.ts'
import { SqlLog } from '../../src/broadcast/sql-log.ts'
import { Broadcast } from '../../src/broadcast/broadcast.ts'
import type { BroadcastOptions } from '../../src/broadcast/broadcast.ts'
import { connectRedisLog } from '../../src/broadcast/redis-log.ts'
import type { ServerOptions } from '../../src/http/server/options.ts'
import { Server } from '../../src/http/server/server.ts'
import { longLimits } from '../support/long-timeouts.ts'

/** The options of the script, as JSON. */
export interface LiveServerOptions {
  readonly server?: ServerOptions
  /** Keeps the events in this Redis. */
  readonly redis?: string
  /** Keeps the events in this database, whose table exists. */
  readonly database?: string
  readonly history?: Omit<BroadcastOptions, 'log'>
}

const given: LiveServerOptions = JSON.parse(process.argv[2] ?? '{}')
const log = (message: string, context: Record<string, unknown>): void => {
  tell({ log: message, ...context })
}
const limits = { ...longLimits, ...given.server?.limits }
const options = { port: 0, drainTimeout: 60, eventStreamsPerPeer: 0, ...given.server, limits }
const server = new Server({ log }).configure(options)
if (cluster.isWorker || (given.server?.workers ?? 1) === 1) {
  const broadcast = new Broadcast({ ...given.history, ...(await logOptions()) })
  server.onClose(() => broadcast.close())
  server.router
    .get('/events', (_request, response) =>
      response.events(broadcast.channel('load'), { retry: 0.05 }),
    )
    .post('/publish/:number', async ({ params }, response) => {
      const id = await broadcast.publish('load', 'number', Number(params.number))
      return response.json({ id, pid: process.pid })
    })
    .get('/memory', (_request, response) => {
      globalThis.gc?.()
      return response.json({ pid: process.pid, ...process.memoryUsage() })
    })
}
const { port } = await server.listen()
tell(cluster.isWorker ? { worker: process.pid } : { port })

async function logOptions(): Promise<BroadcastOptions> {
  if (given.redis !== undefined) return { log: await connectRedisLog(given.redis) }
  if (given.database === undefined) return {}
  const database = await connect(given.database)
  server.onClose(() => database.close())
  return { log: new SqlLog(database) }
}

// One write per line: the processes of a fleet share the pipe.
function tell(report: object): void {
  process.stdout.write(`${JSON.stringify(report)}\n`)
}
