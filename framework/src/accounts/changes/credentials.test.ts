import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { CountedPassword } from '../../../tests/support/counted-password.ts'
import { connect } from '../../database/connect.ts'
import type { Database } from '../../database/surface.ts'
import { Schema } from '../../migrations/schema.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import { Emitter } from '../../events/emitter.ts'
import { Credentials } from './credentials.ts'
import { Purposes } from '../tokens/token.ts'
import { createTokensTable, Tokens } from '../tokens/tokens.ts'
import { createTrustsTable } from '../devices/trust.ts'
import { createUsersTable } from '../users-rows.ts'
import { Users } from '../users.ts'
import { noSessions } from '../../../tests/support/no-sessions.ts'

interface Place {
  readonly database: Database
  readonly counted: CountedPassword
  readonly users: Users
  readonly credentials: Credentials
  /** Whose sessions were ended, and which one was kept. */
  readonly ended: [user: string, keep: string | null][]
  readonly id: string
}

async function place(t: TestContext): Promise<Place> {
  const database = await connect('sqlite::memory:?busy_timeout=0.2')
  t.after(() => database.close())
  await database.transaction(async (transaction) => {
    const schema = new Schema(transaction)
    await createUsersTable(schema)
    await createTokensTable(schema)
    await createTrustsTable(schema)
  })
  const counted = new CountedPassword()
  const users = new Users(database, counted.password)
  const ended: [string, string | null][] = []
  const destroyOf = async (user: string, keep: string | null): Promise<number> =>
    ended.push([user, keep])
  const credentials = new Credentials(database, counted.password, {
    sessions: () => ({ ...noSessions, destroyOf }),
    emitter: new Emitter(),
  })
  const id = (await users.enroll('ada@x.org', 'the old one')) ?? ''
  return { database, counted, users, credentials, ended, id }
}

test('no transaction is open while a password is hashed', async (t) => {
  const { database, counted, credentials, id } = await place(t)
  const { value } = await new Tokens(database).mint(id, Purposes.Recovery)
  const write = (): Promise<unknown> =>
    database.run(sql`INSERT INTO users (email) VALUES
    ((SELECT 'other' || count(*) FROM users))`)
  counted.during(write)
  assert.equal(await credentials.reset(value, 'the new one'), id)
  counted.during(write)
  assert.equal(await credentials.change(id, 'the next one', { keep: null }), true)
  assert.equal((await database.rows(sql`SELECT id FROM users`)).length, 3)
})

test('sessions but the kept one are ended, and once more after the commit', async (t) => {
  const { credentials, ended, id } = await place(t)
  await credentials.change(id, 'the new one', { keep: 'digest' })
  assert.deepEqual(ended, [
    [id, 'digest'],
    [id, 'digest'],
  ])
})

for (const table of ['users', 'tokens', 'trusts']) {
  test(`sessions are ended last: if ${table} fail, sessions stored elsewhere stay`, async (t) => {
    const { database, credentials, ended, id } = await place(t)
    await database.run(sql`DROP TABLE ${sql.name(table)}`)
    const changing = credentials.change(id, 'the new one', { keep: null })
    await assert.rejects(changing, { code: 'E_STATEMENT' })
    assert.deepEqual(ended, [])
  })
}

test('a failed commit has ended sessions stored elsewhere, and changed nothing else', async (t) => {
  const { database, credentials, users, ended, id } = await place(t)
  await database.run(sql`CREATE TABLE parents (id INTEGER PRIMARY KEY)`)
  await database.run(sql`CREATE TABLE children (
    parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)`)
  await database.run(sql`CREATE TRIGGER t AFTER UPDATE ON users
    BEGIN INSERT INTO children VALUES (99); END`)
  await assert.rejects(credentials.change(id, 'the new one', { keep: null }), {
    code: 'E_FOREIGN_KEY',
  })
  assert.deepEqual(ended, [[id, null]])
  assert.equal(await users.check(id, 'the old one'), true)
})

test('a reset for a deleted account uses up the token and returns null', async (t) => {
  const { database, credentials, ended, id } = await place(t)
  const tokens = new Tokens(database)
  const { value } = await tokens.mint(id, Purposes.Recovery)
  await database.run(sql`DELETE FROM users`)
  assert.equal(await credentials.reset(value, 'the new one'), null)
  assert.equal(await tokens.check(value, Purposes.Recovery), false)
  assert.deepEqual(ended, [])
})
