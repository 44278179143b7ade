import cluster from 'node:cluster'
import { connect } from '../../src/database/connect.ts'
import { RateLimit } from '../../src/http/middlewares/rate-limit.ts'
import { SqlRateLimits } from '../../src/http/rate-limits/sql-rate-limits.ts'
import { Server } from '../../src/http/server/server.ts'

// A fleet with a limited route; without a database its limits have no store.
const { database, workers }: { database?: string; workers: number } = JSON.parse(
  process.argv[2] ?? '{}',
)
const server = new Server().configure({ port: 0, workers })
if (database !== undefined && cluster.isWorker) {
  server.rateLimits(new SqlRateLimits(await connect(database)))
}
const limit = new RateLimit({ limit: 20, window: 3600 })
server.use({
  process: (_request, _response, next) => next(),
  finish: (_request, response) => void response.header('X-Worker', String(process.pid)),
})
server.router.get('/', () => 'passed', { middlewares: [limit] })
try {
  const { port } = await server.listen()
  if (cluster.isPrimary) console.log(JSON.stringify({ port }))
} catch (error) {
  if (cluster.isWorker) throw error
  console.error(String(error))
  process.exitCode = 1
}
