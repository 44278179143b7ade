import { once } from 'node:events'
import { connect } from '../../src/database/connect.ts'
import { connectRedis } from '../../src/redis/connect-redis.ts'
import { RateLimit } from '../../src/http/middlewares/rate-limit.ts'
import type { RateLimitStore } from '../../src/http/rate-limits/rate-limit-store.ts'
import { RedisRateLimits } from '../../src/http/rate-limits/redis-rate-limits.ts'
import { SqlRateLimits } from '../../src/http/rate-limits/sql-rate-limits.ts'
import { Server } from '../../src/http/server/server.ts'

interface Opened {
  readonly store: RateLimitStore
  readonly close: () => Promise<void>
}

async function open(url: string): Promise<Opened> {
  if (url.startsWith('redis:')) {
    const redis = await connectRedis(url)
    return { store: new RedisRateLimits(redis), close: () => redis.close() }
  }
  const database = await connect(url)
  return { store: new SqlRateLimits(database), close: () => database.close() }
}

// A server with one limited route. On command it gets a hundred concurrent requests, and prints their
// statuses. All such processes share the store.
const [url = '', algorithm = 'fixed'] = process.argv.slice(2)
const { store, close } = await open(url)
const limit = new RateLimit({
  limit: 100,
  window: 3600,
  algorithm: algorithm === 'sliding' ? 'sliding' : 'fixed',
})
const server = new Server().rateLimits(store)
server.router.post('/login', () => 'in', { middlewares: [limit] })
console.log('ready')
await once(process.stdin, 'data')
const asking = Array.from({ length: 100 }, () => server.inject({ method: 'POST', url: '/login' }))
const answers = await Promise.all(asking)
console.log(JSON.stringify(answers.map(({ status }) => status)))
process.stdin.destroy()
await close()
