import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Password } from '../../src/accounts/passwords/password.ts'
import { createTokensTable } from '../../src/accounts/tokens/tokens.ts'
import { createTrustsTable } from '../../src/accounts/devices/trust.ts'
import { createUsersTable } from '../../src/accounts/users-rows.ts'
import { Users } from '../../src/accounts/users.ts'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { createSessionsTable } from '../../src/http/session/sql-sessions.ts'
import { withLongTimeouts } from '../support/long-timeouts.ts'

/** An open database. */
export interface AuthDatabase {
  readonly url: string
  readonly database: Database
}

export const email = 'ada@example.com'
export const password = 'correct horse battery'

/** A database file with one account, open here and available to other processes. */
export async function authDatabase(t: TestContext): Promise<AuthDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'auth-workers-'))
  const opened = await fillDatabase(t, withLongTimeouts(`sqlite:${join(folder, 'a.db')}`))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return opened
}

/** The same in an existing, empty database. */
export async function fillDatabase(t: TestContext, url: string): Promise<AuthDatabase> {
  const database = await connect(url)
  t.after(() => database.close())
  await database.transaction(async (transaction) => {
    const schema = new Schema(transaction)
    await createUsersTable(schema)
    await createTokensTable(schema)
    await createTrustsTable(schema)
    await createSessionsTable(schema)
  })
  await new Users(database, new Password()).enroll(email, password)
  return { url, database }
}
