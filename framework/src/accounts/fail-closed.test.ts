import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createThrowables } from '../errors/throwables/throwables.ts'
import { connect } from '../database/connect.ts'
import { DatabaseError } from '../database/database-error.ts'
import type { Database } from '../database/surface.ts'
import { Users } from './users.ts'
import { Password } from './passwords/password.ts'
import { failClosed } from './fail-closed.ts'
import { Purposes, newTokenText } from './tokens/token.ts'
import { Tokens } from './tokens/tokens.ts'
import { Trust } from './devices/trust.ts'

/** A database without tables, and what is reported. */
async function broken(t: TestContext) {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const reported: Error[] = []
  const throwables = createThrowables()
  throwables.reporters.push((error) => reported.push(error))
  return { database, throwables, reported }
}

/** What decides about a visitor. */
function decisions(database: Database, options: object): readonly (() => Promise<unknown>)[] {
  const users = new Users(database, new Password(), options)
  const tokens = new Tokens(database, options)
  const trust = new Trust(database, options)
  const token = newTokenText().value
  return [
    () => users.enroll('ada@example.com', 'quiet copper lamp'),
    () => users.verify('ada@example.com', 'quiet copper lamp'),
    () => users.fetch('ada@example.com'),
    () => tokens.owner(token, Purposes.Recovery),
    () => tokens.redeem(token, Purposes.Recovery),
    () => trust.rotate(token),
    () => trust.owner(token),
  ]
}

test('when the database fails a decision is null, and the failure is reported', async (t) => {
  const { database, throwables, reported } = await broken(t)
  for (const decision of decisions(database, { throwables })) assert.equal(await decision(), null)
  assert.equal(reported.length, 7)
})

test("with onFailure 'throw' it is E_UNAVAILABLE with its cause, for a 503", async (t) => {
  const { database, throwables, reported } = await broken(t)
  for (const decision of decisions(database, { throwables, onFailure: 'throw' })) {
    await assert.rejects(decision(), (error: Error) => {
      assert.ok(error.cause instanceof DatabaseError)
      return 'code' in error && error.code === 'E_UNAVAILABLE'
    })
  }
  assert.deepEqual(reported, [], 'whoever catches it reports it')
})

test('a value that the database rejects stays a refusal: nothing is out of order', async (t) => {
  const { database, throwables, reported } = await broken(t)
  const rejected = new DatabaseError('E_VALUE', 'too long')
  const options = { throwables, onFailure: 'throw' } as const
  assert.equal(await failClosed(database, options, false, () => Promise.reject(rejected)), false)
  assert.deepEqual(reported, [rejected])
})
