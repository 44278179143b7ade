import {
  ApiTokens,
  Authentication,
  Bearer,
  Credentials,
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

const password = new Password()
const users = new Users(database, password)
const load = (id: string) => users.find(id)
const credentials = new Credentials(database, password, {
  sessions: (surface) => new SqlSessions(surface),
})
const tokens = new ApiTokens(database, { scopes: ['read'], credentials })
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
  const wanted = { name: 'benchmark', scopes: ['read'], ttl: 86_400 } as const
  const created = await tokens.create(id, wanted, { keep: null })
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
