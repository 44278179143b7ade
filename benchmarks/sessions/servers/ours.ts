import { createSecretKey, randomBytes } from 'node:crypto'
import { connectRedis } from '../../../framework/dist/public/redis.js'
import { connect, migrate, sql } from '../../../framework/dist/public/database.js'
import { ApplicationKey } from '../../../framework/dist/public/framework.js'
import { type Request, Server } from '../../../framework/dist/public/http.js'
import {
  Csrf,
  csrfToken,
  MemoryRateLimits,
  RateLimit,
  RedisRateLimits,
  SqlRateLimits,
} from '../../../framework/dist/public/middlewares.js'
import {
  MemorySessions,
  RedisSessions,
  Sessions,
  SqlSessions,
} from '../../../framework/dist/public/sessions.js'
import { beginning, formPage, formPath, kept, measured, rowsPath } from '../visitor.ts'
import { contestant, ready } from './contestant.ts'

const { port, parts, redis: url, file } = contestant()
const server = new Server().configure({ host: '127.0.0.1', port })
const redis = parts.has('redis') ? await connectRedis(url) : null
const database = parts.has('sqlite') ? await connect(`sqlite:${file}`) : null
if (database !== null) await migrate(database, `${import.meta.dirname}/../migrations`)

// One store for the sessions and one for the limits; which, the parts say.
const memory = parts.has('memory') ? new MemorySessions() : null
const tables = database === null ? memory : new SqlSessions(database)
const store = redis === null ? tables : new RedisSessions(redis)
const counted = database === null ? new MemoryRateLimits() : new SqlRateLimits(database)
const shared = redis === null ? counted : new RedisRateLimits(redis)
const limits = parts.has('limit-memory') ? new MemoryRateLimits() : shared

const key = new ApplicationKey(createSecretKey(randomBytes(32)))
const guests = parts.has('guests') ? { key } : { guestLimit: { limit: 2 ** 31 - 1 } }
if (store !== null) server.use(new Sessions(store, guests))
if (parts.has('csrf')) server.use(new Csrf())
// So many that nothing is refused: refusals are cheaper than what is measured here.
const limit = new RateLimit({ limit: 2 ** 31 - 1, window: 3600, store: limits })
const middlewares = parts.has('limit') ? [limit] : []

server.router.get(beginning, async (request) => {
  if (store === null) return { token: '' }
  for (const [key, value] of Object.entries(kept)) request.session.set(key, value)
  return { token: await csrfToken(request) }
})

if (store === null) server.router.get(measured, () => ({ name: kept.name }))
else server.router.get(measured, async ({ session }) => ({ name: await session.get('name') }))

server.router.post(measured, async (request) => ({ name: await nameBehindForm(request) }), {
  middlewares,
})

const unmasked = 'x'.repeat(86)
server.router.get(formPath, async (request, response) =>
  response.html(formPage(store === null ? unmasked : await csrfToken(request))),
)
server.router.get(rowsPath, async () => {
  const rows = await database?.rows(sql`SELECT count(*) AS n FROM sessions`)
  return String(rows?.[0]?.['n'])
})

await server.listen()
ready()

async function nameBehindForm(request: Request): Promise<unknown> {
  await request.form()
  return store === null ? kept.name : request.session.get('name')
}
