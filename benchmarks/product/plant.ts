import { hash } from 'node:crypto'
import { join } from 'node:path'

/** The member who signs in. */
export const member = {
  name: 'Ada Member',
  email: 'member@example.org',
  password: 'correct horse battery staple',
} as const

/**
 * Makes the tables of the product in an empty database, with the items of the demo, the member and an API
 * token, and resolves with the text of that.
 */
export async function plant(url: string): Promise<string> {
  // There is no build before the benchmark has begun.
  const { connect, migrate, seed, sql } = await import('../../framework/dist/public/database.js')
  const { ApiTokens, Credentials, Password, Users } =
    await import('../../framework/dist/public/auth.js')
  const { SqlSessions } = await import('../../framework/dist/public/sessions.js')
  const database = await connect(url)
  try {
    await migrate(database, join(import.meta.dirname, 'migrations'))
    const seeds = join(import.meta.dirname, '../../demo/seeds')
    await seed(database, seeds, { environment: 'production' })
    const password = new Password()
    const users = new Users(database, password)
    const id = await users.enroll(member.email, member.password)
    if (id === null) throw new Error('the member could not be added')
    await database.run(sql`UPDATE users SET name = ${member.name} WHERE id = ${id}`)
    const credentials = new Credentials(database, password, {
      sessions: (surface) => new SqlSessions(surface),
    })
    const scopes = ['items:read', 'notes:write', 'files:write'] as const
    const tokens = new ApiTokens(database, { scopes, credentials })
    const wanted = { name: 'benchmark', scopes, ttl: 86_400 }
    const token = await tokens.create(id, wanted, { keep: null })
    if (token === null) throw new Error('the token could not be added')
    const digest = hash('sha256', token.value, 'hex')
    const expires = Date.now() + 86_400_000
    await database.run(sql`INSERT INTO peer_tokens (user_id, digest, expires)
      VALUES (${Number(id)}, ${digest}, ${expires})`)
    return token.value
  } finally {
    await database.close()
  }
}
