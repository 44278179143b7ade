import {
  ApiTokens,
  Authentication,
  Bearer,
  Password,
  SessionGuard,
  Users,
} from '../../../framework/dist/public/auth.js'
import { connect, migrate, sql } from '../../../framework/dist/public/database.js'
import { HttpError, Server } from '../../../framework/dist/public/http.js'
import { SqlRateLimits } from '../../../framework/dist/public/middlewares.js'
import { Sessions, SqlSessions } from '../../../framework/dist/public/sessions.js'
import { beginning, kept, measured } from '../visitor.ts'
import { contestant, ready } from './contestant.ts'

const { port, parts, file } = contestant()
const database = await connect(`sqlite:${file}`)
await migrate(database, `${import.meta.dirname}/../migrations`)

const server = new Server().configure({ host: '127.0.0.1', port })
server.rateLimits(new SqlRateLimits(database))
server.use(new Sessions(new SqlSessions(database), { guestLimit: { limit: 2 ** 31 - 1 } }))

const users = new Users(database, new Password())
const load = (id: string) => users.find(id)
const tokens = new ApiTokens(database, { scopes: ['read'] })
// So many that nothing is refused: refusals are cheaper than what is measured here.
const many = { limit: 2 ** 31 - 1, window: 60 }
const bearer = new Bearer(tokens, { load, limit: parts.has('limit') ? many : null })
const guard = parts.has('token') ? bearer : new SessionGuard({ load })
const middlewares = parts.has('none') ? [] : [new Authentication(guard)]

// Each visitor has an account of their own, which no password opens.
let accounts = 0
server.router.get(beginning, async ({ session }) => {
  const id = String((accounts += 1))
  await database.run(sql`INSERT INTO users (email) VALUES (${`${id}@example.org`})`)
  await database.run(sql`INSERT INTO profiles (user_id, name) VALUES (${id}, ${kept.name})`)
  if (!parts.has('token')) {
    for (const [key, value] of Object.entries({ ...kept, identity: id })) session.set(key, value)
    return { token: '' }
  }
  const created = await tokens.create(id, { name: 'benchmark', scopes: ['read'], ttl: 86_400 })
  return { token: created?.value }
})

server.router.get(
  measured,
  async ({ identity }) => {
    const id = identity?.id ?? String(accounts)
    const [row] = await database.rows(sql`SELECT name FROM profiles WHERE user_id = ${id}`)
    if (row === undefined) throw new HttpError(404)
    return { name: row['name'] }
  },
  { middlewares },
)

await server.listen()
ready()
