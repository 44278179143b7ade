import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { inspect } from 'node:util'
import { CountedPassword, formerPassword } from '../../tests/support/counted-password.ts'
import { RecordingSurface } from '../../tests/support/recording-surface.ts'
import { createThrowables } from '../errors/throwables/throwables.ts'
import { connect } from '../database/connect.ts'
import type { Database } from '../database/surface.ts'
import { Schema } from '../migrations/schema.ts'
import { sql } from '../database/sql/plan/statement.ts'
import { createUsersTable } from './users-rows.ts'
import { Users } from './users.ts'

interface Place {
  readonly database: Database
  readonly counted: CountedPassword
  readonly users: Users
  readonly reported: unknown[]
  /** Adds an account with the given stored secret. */
  readonly keeps: (email: string, secret: string | null) => Promise<string>
  readonly secretOf: (id: string) => Promise<unknown>
}

async function place(t: TestContext): Promise<Place> {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await database.transaction((transaction) => createUsersTable(new Schema(transaction)))
  const counted = new CountedPassword()
  const reported: unknown[] = []
  const throwables = createThrowables()
  throwables.reporters.push((error) => reported.push(error))
  const users = new Users(database, counted.password, { throwables, clock: () => 1_700_000_000.9 })
  return {
    database,
    counted,
    users,
    reported,
    keeps: async (email, secret) => {
      const [row] = await database.rows(
        sql`INSERT INTO users (email, password) VALUES (${email}, ${secret}) RETURNING id`,
      )
      return String(row?.['id'])
    },
    secretOf: async (id) =>
      (await database.rows(sql`SELECT password FROM users WHERE id = ${id}`))[0]?.['password'],
  }
}

const right = 'correct horse'

async function everyKind({ counted, keeps }: Place): Promise<Record<string, string>> {
  const current = await counted.password.hash(right)
  const former = await formerPassword.hash(right)
  const ids = {
    known: await keeps('known@x.org', current),
    none: await keeps('none@x.org', null),
    malformed: await keeps('malformed@x.org', '$argon2id$v=19$nonsense'),
    legacy: await keeps('legacy@x.org', former),
    legacyToo: await keeps('legacy-too@x.org', former),
  }
  counted.taken()
  return ids
}

test('every sign-in computes one hash at the current cost, known account or not', async (t) => {
  const here = await place(t)
  await everyKind(here)
  const long = 'é'.repeat(513)
  const cases: readonly (readonly [email: string, password: string, isRight: boolean])[] = [
    ['known@x.org', right, true],
    ['known@x.org', 'wrong', false],
    ['known@x.org', '', false],
    ['known@x.org', long, false],
    ['unknown@x.org', right, false],
    ['unknown@x.org', '', false],
    ['unknown@x.org', long, false],
    ['none@x.org', right, false],
    ['malformed@x.org', right, false],
    ['legacy@x.org', right, true],
    ['legacy-too@x.org', 'wrong', false],
    ['legacy-too@x.org', long, false],
    ['not\0an e-mail', right, false],
    ['', right, false],
  ]
  for (const [email, password, isRight] of cases) {
    const identity = await here.users.verify(email, password)
    assert.equal(identity !== null, isRight, `${email} with ${password.slice(0, 20)}`)
    assert.equal(here.counted.taken(), 1, `${email} with ${password.slice(0, 20)}`)
  }
  assert.deepEqual(here.reported, [])
})

test('every check of the current password computes one hash of the current cost', async (t) => {
  const here = await place(t)
  const { known = '', none = '', malformed = '', legacy = '' } = await everyKind(here)
  const cases: readonly (readonly [user: string, password: string, isRight: boolean])[] = [
    [known, right, true],
    [known, 'wrong', false],
    ['999', right, false],
    ['no id', right, false],
    ['', right, false],
    [none, right, false],
    [malformed, right, false],
    [legacy, 'wrong', false],
    [legacy, right, true],
  ]
  for (const [user, password, isRight] of cases) {
    assert.equal(await here.users.check(user, password), isRight, user)
    assert.equal(here.counted.taken(), 1, user)
  }
  assert.equal(here.counted.password.conforms(String(await here.secretOf(legacy))), true)
})

test('an unknown e-mail and a wrong password differ by no query', async (t) => {
  const here = await place(t)
  await everyKind(here)
  const seen = async (email: string, password: string): Promise<readonly string[][]> => {
    const surface = new RecordingSurface(here.database)
    await new Users(surface, here.counted.password).verify(email, password)
    return surface.flushes
  }
  const expected = await seen('known@x.org', 'wrong')
  assert.equal(expected.length, 1)
  for (const email of ['unknown@x.org', 'none@x.org', 'malformed@x.org', 'legacy-too@x.org']) {
    assert.deepEqual(await seen(email, 'wrong'), expected)
  }
  assert.deepEqual(await seen('known@x.org', right), expected)
})

test('an e-mail that is taken costs as much to enroll as a free one', async (t) => {
  const { users, counted, keeps, database } = await place(t)
  await keeps('ada@x.org', null)
  counted.taken()
  assert.equal(await users.enroll('ADA@x.org ', right), null)
  assert.equal(counted.taken(), 1)
  assert.notEqual(await users.enroll('bob@x.org', right), null)
  assert.equal(counted.taken(), 1)
  const surface = new RecordingSurface(database)
  const recorded = new Users(surface, counted.password)
  await recorded.enroll('ada@x.org', right)
  await recorded.enroll('eve@x.org', right)
  assert.deepEqual(surface.flushes[0], surface.flushes[1])
  assert.equal(surface.flushes.length, 2)
})

test('enroll rejects an unacceptable e-mail or password without any work', async (t) => {
  const { users, counted, database } = await place(t)
  for (const email of ['', ' ', 'a\nb@x.org', 'x'.repeat(255)]) {
    assert.equal(await users.enroll(email, right), null)
  }
  for (const password of ['', 'x'.repeat(1025), 'é'.repeat(513), '\ud800']) {
    assert.equal(await users.enroll('ada@x.org', password), null)
  }
  assert.equal(counted.taken(), 0)
  assert.deepEqual(await database.rows(sql`SELECT id FROM users`), [])
})

test('rotate rejects an unacceptable password, and the old one stays', async (t) => {
  const { users, counted } = await place(t)
  const id = (await users.enroll('ada@x.org', right)) ?? ''
  counted.taken()
  for (const password of ['', 'x'.repeat(1025)]) {
    assert.equal(await users.rotate(id, password), false)
  }
  assert.equal(counted.taken(), 0)
  assert.equal(await users.check(id, right), true)
})

test('store accepts only a hash, and the error does not repeat the argument', async (t) => {
  const { users, counted, secretOf } = await place(t)
  const id = (await users.enroll('ada@x.org', right)) ?? ''
  const before = await secretOf(id)
  for (const text of ['my password', '', await formerPassword.hash('x')]) {
    await assert.rejects(users.store(id, text), (error: Error) => {
      assert.equal(Object(error).code, 'E_INVALID_ARGUMENT')
      return text === '' || !inspect(error).includes(text)
    })
  }
  assert.equal(await secretOf(id), before)
  assert.equal(await users.store(id, await counted.password.hash('new one')), true)
  assert.equal(await users.check(id, 'new one'), true)
})

test('on success a legacy hash is replaced once, by a current one', async (t) => {
  const { users, counted, keeps, secretOf, database } = await place(t)
  const id = await keeps('ada@x.org', await formerPassword.hash(right))
  assert.equal(await users.verify('ada@x.org', 'wrong'), null)
  assert.equal(counted.password.conforms(String(await secretOf(id))), false)
  assert.equal((await users.verify('ada@x.org', right))?.id, id)
  assert.equal(counted.password.conforms(String(await secretOf(id))), true)
  const surface = new RecordingSurface(database)
  assert.notEqual(await new Users(surface, counted.password).verify('ada@x.org', right), null)
  assert.equal(surface.flushes.length, 1)
})

test('the upgrade of a legacy hash never overwrites a concurrent password change', async (t) => {
  const { users, counted, keeps, secretOf } = await place(t)
  const id = await keeps('ada@x.org', await formerPassword.hash(right))
  const changed = await counted.password.hash('changed')
  counted.during(() => users.store(id, changed))
  assert.equal(await users.verify('ada@x.org', right), null)
  assert.equal(await secretOf(id), changed)
})

test('two concurrent sign-ins with a legacy hash both succeed and stay valid', async (t) => {
  const { users, counted, keeps } = await place(t)
  const id = await keeps('ada@x.org', await formerPassword.hash(right))
  const others: Promise<unknown>[] = []
  counted.during(async () => others.push(Promise.resolve(await users.verify('ada@x.org', right))))
  const identity = await users.verify('ada@x.org', right)
  assert.equal(identity?.id, id)
  assert.equal(identity === null ? null : await users.isUnchanged(identity), true)
  assert.deepEqual(await Promise.all(others), [identity])
})

test('a legacy hash that cannot be replaced is reported, and the sign-in succeeds', async (t) => {
  const { users, keeps, database, reported } = await place(t)
  await keeps('ada@x.org', await formerPassword.hash(right))
  await database.run(sql`CREATE TRIGGER t BEFORE UPDATE ON users
    BEGIN SELECT RAISE(ABORT, 'not now'); END`)
  const identity = await users.verify('ada@x.org', right)
  assert.ok(identity !== null)
  assert.equal(await users.isUnchanged(identity), true)
  assert.equal(reported.length, 1)
})

test('an identity is unchanged until the password hash changes', async (t) => {
  const { users, database } = await place(t)
  const id = (await users.enroll('ada@x.org', right)) ?? ''
  const verified = await users.verify('ada@x.org', right)
  const found = await users.find(id)
  const fetched = await users.fetch('ada@x.org')
  assert.ok(verified !== null && found !== null && fetched !== null)
  await users.confirm(id)
  for (const identity of [verified, found, fetched]) {
    assert.equal(await users.isUnchanged(identity), true)
  }
  assert.equal(await users.isUnchanged({ ...verified }), false, 'a copy was accepted by nobody')
  // The same password again: what was signed in before is signed out all the same.
  await users.rotate(id, right)
  for (const identity of [verified, found, fetched]) {
    assert.equal(await users.isUnchanged(identity), false)
  }
  const again = await users.verify('ada@x.org', right)
  assert.ok(again !== null)
  await database.run(sql`DELETE FROM users`)
  assert.equal(await users.isUnchanged(again), false)
})

test('a checked identity is tied to the accepted hash, and can be given a new one once', async (t) => {
  const { users, counted, keeps } = await place(t)
  const id = await keeps('ada@x.org', await formerPassword.hash(right))
  const identity = Object.freeze({ id })
  const [first, second] = [
    await counted.password.hash('first'),
    await counted.password.hash('second'),
  ]
  assert.equal(await users.store(identity, first), false, 'nobody was asked for its password')
  assert.equal(await users.check(identity, 'wrong'), false)
  assert.equal(await users.store(identity, first), false)
  assert.equal(await users.check(identity, right), true)
  assert.equal(await users.store(identity, first), true)
  assert.equal(await users.store(identity, second), false)
  assert.equal(await users.check(id, 'first'), true)
})

test('an identity tied to an upgraded legacy hash changes with that one', async (t) => {
  const { users, keeps } = await place(t)
  const id = await keeps('ada@x.org', await formerPassword.hash(right))
  const identity = await users.verify('ada@x.org', right)
  assert.ok(identity !== null)
  assert.equal(await users.isUnchanged(identity), true)
  await users.rotate(id, 'another')
  assert.equal(await users.isUnchanged(identity), false)
})

test('an identity is frozen and shows no secret', async (t) => {
  const { users, secretOf } = await place(t)
  const id = (await users.enroll('Ada@X.org', right)) ?? ''
  const identity = await users.verify('ada@x.org', right)
  assert.deepEqual(identity, { id, email: 'ada@x.org', verified: false })
  assert.ok(Object.isFrozen(identity))
  const shown = inspect(identity, { showHidden: true, depth: null }) + JSON.stringify(identity)
  assert.equal(shown.includes(String(await secretOf(id))), false)
})

test('on a database failure every method but find reports it and returns null or false', async (t) => {
  const { users, counted, database, reported } = await place(t)
  const id = (await users.enroll('ada@x.org', right)) ?? ''
  const identity = await users.verify('ada@x.org', right)
  assert.ok(identity !== null)
  await database.run(sql`DROP TABLE users`)
  counted.taken()
  const decisions: readonly (readonly [ask: () => Promise<unknown>, refusal: unknown])[] = [
    [() => users.enroll('eve@x.org', right), null],
    [() => users.verify('ada@x.org', right), null],
    [() => users.check(id, right), false],
    [() => users.fetch('ada@x.org'), null],
    [() => users.rotate(id, right), false],
    [() => users.confirm(id), false],
    [() => users.isUnchanged(identity), false],
  ]
  for (const [at, [ask, refusal]] of decisions.entries()) {
    assert.equal(await ask(), refusal)
    assert.equal(Object(reported[at]).code, 'E_STATEMENT')
    assert.equal(reported.length, at + 1)
  }
  assert.equal(counted.taken(), 4, 'enroll, verify, check and rotate hash all the same')
  await assert.rejects(users.find(id), { code: 'E_STATEMENT' })
})

test('in a transaction a failure is thrown, so that it is not committed in part', async (t) => {
  const { counted, database, users, reported } = await place(t)
  const id = (await users.enroll('ada@x.org', right)) ?? ''
  const hash = await counted.password.hash('new')
  await database.run(sql`CREATE TRIGGER t BEFORE UPDATE ON users
    BEGIN SELECT RAISE(ABORT, 'not now'); END`)
  await assert.rejects(
    database.transaction(async (transaction) => {
      await transaction.run(sql`INSERT INTO users (email) VALUES ('half@x.org')`)
      await new Users(transaction, counted.password).store(id, hash)
    }),
    { name: 'DatabaseError' },
  )
  assert.equal(await users.fetch('half@x.org'), null)
  assert.deepEqual(reported, [])
})

test('an invalid column name is rejected immediately', async (t) => {
  const { database, counted } = await place(t)
  for (const options of [{ table: '' }, { key: 'a\0b' }, { secret: '' }]) {
    assert.throws(() => new Users(database, counted.password, options), { code: 'E_IDENTIFIER' })
  }
})
