import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Users } from '../../src/accounts/users.ts'
import type { UsersOptions } from '../../src/accounts/users.ts'
import { createUsersTable } from '../../src/accounts/users-rows.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import type { Database } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { CountedPassword, formerPassword } from '../support/counted-password.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

const { password } = new CountedPassword()
const right = 'correct horse'

/** Texts that are no valid id, each of which some database would accept as one or fail on. */
const strangers = [
  '',
  '0',
  '-1',
  '999',
  '1.0',
  '1e0',
  ' 1',
  '1 ',
  '01',
  '+1',
  '1b',
  "1' OR '1'='1",
  'NaN',
  '1\0',
  '\ud800',
  '99999999999999999999',
  '9223372036854775808',
  '0d3ed3f2-1e5c-4d8a-9d0c-0f5c6f0f5c6f',
  'é'.repeat(300),
]

onEveryDatabase((name, open) => {
  async function opened(
    t: TestContext,
    options: UsersOptions = {},
  ): Promise<{ database: Database; users: Users; reported: unknown[] }> {
    const database = await open(t, 'pool=8')
    await database.transaction((transaction) => createUsersTable(new Schema(transaction)))
    const reported: unknown[] = []
    const throwables = createThrowables()
    throwables.reporters.push((error) => reported.push(error))
    const clock = (): number => 1_700_000_000.9
    return {
      database,
      users: new Users(database, password, { throwables, clock, ...options }),
      reported,
    }
  }

  async function verifiedAt(database: Database, id: string): Promise<unknown> {
    const [row] = await database.rows(sql`SELECT email_verified_at FROM users WHERE id = ${id}`)
    const value = row?.['email_verified_at']
    return value === null ? null : Number(value)
  }

  test('an account for a verified e-mail has no password, and none of it is there if the rest fails', async (t) => {
    const { users, reported } = await opened(t)
    const failing = users.enrollVerified('ada@example.com', {
      alongside: async () => {
        throw new Error('planted')
      },
    })
    await assert.rejects(failing, /planted/)
    assert.equal(await users.fetch('ada@example.com'), null)
    const id = (await users.enrollVerified(' Ada@Example.com ')) ?? assert.fail()
    const { email, verified } = (await users.find(id)) ?? assert.fail()
    assert.deepEqual([email, verified], ['ada@example.com', true])
    assert.equal(await users.hasPassword(id), false)
    assert.equal(await users.verify('ada@example.com', ''), null)
    assert.equal(await users.enrollVerified('ada@example.com'), null)
    assert.equal(await users.enrollVerified(''), null)
    assert.ok(await users.rotate(id, right), 'a mailed link gives it a password')
    assert.equal((await users.verify('ada@example.com', right))?.id, id)
    assert.deepEqual(reported, [])
  })

  test('enroll returns a new account id, and null for a taken e-mail', async (t) => {
    const { database, users, reported } = await opened(t)
    const id = await users.enroll('  Ada@Example.com ', right)
    assert.equal(id, '1')
    assert.equal(await users.enroll('ada@EXAMPLE.com', 'another one'), null)
    assert.notEqual(await users.enroll('bob@example.com', right), null)
    const rows = await database.rows(sql`SELECT email, password, email_verified_at, created_at
      FROM users WHERE id = ${1}`)
    assert.equal(rows[0]?.['email'], 'ada@example.com')
    assert.match(String(rows[0]?.['password']), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal(rows[0]?.['email_verified_at'], null)
    assert.notEqual(rows[0]?.['created_at'], null)
    assert.deepEqual(reported, [])
  })

  test('accents make another account; composed or not they are the same letter', async (t) => {
    const { users } = await opened(t)
    assert.notEqual(await users.enroll('jose@x.org', right), null)
    assert.notEqual(await users.enroll('jos\u00e9@x.org', right), null)
    assert.equal(await users.enroll('JOSE\u0301@x.org', right), null)
    assert.equal((await users.fetch('jose\u0301@x.org'))?.email, 'jos\u00e9@x.org')
    assert.equal((await users.fetch('jose@x.org'))?.email, 'jose@x.org')
  })

  test('of twenty concurrent enrollments with one e-mail exactly one gets the account', async (t) => {
    const { database, users, reported } = await opened(t)
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        users.enroll(at % 2 === 0 ? 'ada@x.org' : ' ADA@X.ORG', `password ${at}`),
      ),
    )
    const winners = ids.flatMap((id, at) => (id === null ? [] : [{ id, at }]))
    assert.equal(winners.length, 1)
    assert.equal((await database.rows(sql`SELECT id FROM users`)).length, 1)
    const [winner] = winners
    assert.equal(await users.check(winner?.id ?? '', `password ${winner?.at}`), true)
    assert.deepEqual(reported, [])
  })

  test('verify and fetch return the identity, verify only for the right password', async (t) => {
    const { users } = await opened(t)
    const id = (await users.enroll('ada@x.org', right)) ?? ''
    const identity = { id, email: 'ada@x.org', verified: false }
    assert.deepEqual(await users.verify(' ADA@x.org', right), identity)
    assert.equal(await users.verify('ada@x.org', `${right} `), null)
    assert.equal(await users.verify('eve@x.org', right), null)
    assert.deepEqual(await users.fetch('Ada@x.org'), identity)
    assert.equal(await users.fetch('eve@x.org'), null)
    assert.deepEqual(await users.find(id), identity)
  })

  test('check accepts only the current password of that account', async (t) => {
    const { users } = await opened(t)
    const ada = (await users.enroll('ada@x.org', right)) ?? ''
    const bob = (await users.enroll('bob@x.org', 'of bob himself')) ?? ''
    assert.deepEqual(
      [await users.check(ada, right), await users.check(bob, right), await users.check(ada, '')],
      [true, false, false],
    )
  })

  test('rotate replaces the password of that account only', async (t) => {
    const { users } = await opened(t)
    const ada = (await users.enroll('ada@x.org', right)) ?? ''
    const bob = (await users.enroll('bob@x.org', right)) ?? ''
    assert.equal(await users.rotate(ada, 'a new one'), true)
    assert.deepEqual(
      [await users.check(ada, right), await users.check(ada, 'a new one')],
      [false, true],
    )
    assert.equal(await users.check(bob, right), true)
    assert.equal(await users.rotate('999', 'a new one'), false)
  })

  test('confirm stores the time in epoch seconds, once', async (t) => {
    const { database, users } = await opened(t)
    const id = (await users.enroll('ada@x.org', right)) ?? ''
    assert.equal(await verifiedAt(database, id), null)
    assert.equal(await users.confirm(id), true)
    assert.equal(await verifiedAt(database, id), 1_700_000_000)
    const later = new Users(database, password, { clock: () => 1_800_000_000 })
    assert.equal(await later.confirm(id), true)
    assert.equal(await verifiedAt(database, id), 1_700_000_000)
    assert.equal((await users.find(id))?.verified, true)
    assert.equal((await users.fetch('ada@x.org'))?.verified, true)
    assert.equal(await users.confirm('999'), false)
  })

  test('an invalid id finds no account and is not a failure', async (t) => {
    const { users, reported } = await opened(t)
    const id = await users.enroll('ada@x.org', right)
    assert.equal(id, '1')
    const hash = await password.hash('another')
    for (const stranger of strangers) {
      assert.equal(await users.find(stranger), null, stranger)
      assert.equal(await users.store(stranger, hash), false, stranger)
      assert.equal(await users.confirm(stranger), false, stranger)
    }
    assert.equal(await users.check('1b', right), false)
    assert.equal(await users.check('1', right), true)
    assert.deepEqual(reported, [])
  })

  test('an invalid id leaves a transaction usable', async (t) => {
    const { database, users } = await opened(t)
    await users.enroll('ada@x.org', right)
    await database.transaction(async (transaction) => {
      const inside = new Users(transaction, password)
      for (const stranger of ['1b', 'x', '99999999999999999999']) {
        assert.equal(await inside.find(stranger), null)
        assert.equal(await inside.confirm(stranger), false)
      }
      assert.equal(await inside.confirm('1'), true)
    })
    assert.equal((await users.find('1'))?.verified, true)
  })

  test('a duplicate leaves its transaction usable', async (t) => {
    const { database, users } = await opened(t)
    await users.enroll('ada@x.org', right)
    await database.transaction(async (transaction) => {
      const inside = new Users(transaction, password)
      assert.notEqual(await inside.enroll('bob@x.org', right), null)
      assert.equal(await inside.enroll('ada@x.org', right), null)
      assert.notEqual(await inside.enroll('eve@x.org', right), null)
      assert.equal(await inside.enroll('eve@x.org', right), null)
    })
    const rows = await database.rows(sql`SELECT email FROM users ORDER BY email`)
    assert.deepEqual(
      rows.map(({ email }) => email),
      ['ada@x.org', 'bob@x.org', 'eve@x.org'],
    )
  })

  test('an account that is rolled back does not exist', async (t) => {
    const { database, users } = await opened(t)
    const work = database.transaction(async (transaction) => {
      assert.notEqual(await new Users(transaction, password).enroll('ada@x.org', right), null)
      throw new Error('undo')
    })
    await assert.rejects(work, { message: 'undo' })
    assert.equal(await users.fetch('ada@x.org'), null)
  })

  test('table and columns can have other names', async (t) => {
    const { database } = await opened(t)
    const names = {
      table: 'the "people" `here`',
      key: 'number; DROP TABLE users',
      identifier: 'log in',
      secret: `o'hash`,
      verified: 'select',
    }
    const column = (text: string): unknown => sql.name(text)
    const key = {
      sqlite: sql`INTEGER PRIMARY KEY AUTOINCREMENT`,
      postgres: sql`BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY`,
      mariadb: sql`BIGINT AUTO_INCREMENT PRIMARY KEY`,
    }
    await database.run(sql`CREATE TABLE ${column(names.table)} (${column(names.key)} ${key[name]},
      ${column(names.identifier)} VARCHAR(254) NOT NULL UNIQUE,
      ${column(names.secret)} VARCHAR(255), ${column(names.verified)} BIGINT)`)
    const users = new Users(database, password, names)
    const id = (await users.enroll('ada@x.org', right)) ?? ''
    assert.equal(id, '1')
    assert.equal(await users.enroll('ada@x.org', right), null)
    assert.equal(await users.confirm(id), true)
    assert.equal(await users.rotate(id, 'another'), true)
    assert.deepEqual(await users.verify('ada@x.org', 'another'), {
      id,
      email: 'ada@x.org',
      verified: true,
    })
    assert.deepEqual(await database.rows(sql`SELECT id FROM users`), [])
  })

  test('keys can be UUIDs generated by the table', async (t) => {
    const { database, reported } = await opened(t)
    const key = {
      sqlite: sql`TEXT PRIMARY KEY DEFAULT (lower(hex(randomblob(4)) || '-' || hex(randomblob(2))
        || '-4' || substr(hex(randomblob(2)), 2) || '-a' || substr(hex(randomblob(2)), 2) || '-'
        || hex(randomblob(6))))`,
      postgres: sql`UUID PRIMARY KEY DEFAULT gen_random_uuid()`,
      mariadb: sql`UUID PRIMARY KEY DEFAULT UUID()`,
    }
    await database.run(sql`CREATE TABLE members (id ${key[name]}, email VARCHAR(254) NOT NULL UNIQUE,
      password VARCHAR(255), email_verified_at BIGINT)`)
    const throwables = createThrowables()
    throwables.reporters.push((error) => reported.push(error))
    const users = new Users(database, password, { table: 'members', throwables })
    const id = (await users.enroll('ada@x.org', right)) ?? ''
    assert.match(id, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    assert.equal((await users.find(id))?.email, 'ada@x.org')
    assert.equal(await users.check(id, right), true)
    assert.equal(await users.rotate(id, 'another'), true)
    assert.equal(await users.confirm(id), true)
    for (const stranger of ['1', 'x', id.toUpperCase(), `{${id}}`, id.slice(1), `${id} `]) {
      assert.equal(await users.find(stranger), null, stranger)
      assert.equal(await users.confirm(stranger), false, stranger)
    }
    assert.deepEqual(reported, [])
  })

  test('keys of 64 bits keep every digit', async (t) => {
    const { database, users } = await opened(t)
    const ids = [2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 2n]
    for (const id of ids) {
      await database.run(sql`INSERT INTO users (id, email) VALUES (${id}, ${`${id}@x.org`})`)
    }
    for (const id of ids) {
      assert.equal((await users.find(String(id)))?.email, `${id}@x.org`)
      assert.equal((await users.fetch(`${id}@x.org`))?.id, String(id))
    }
    const [, middle = 0n] = ids
    assert.equal(await users.rotate(String(middle), right), true)
    const held = await Promise.all(ids.map((id) => users.check(String(id), right)))
    assert.deepEqual(held, [false, true, false])
  })

  if (name === Dialects.MariaDB) {
    test('a collation in which é equals e does not mix up accounts', async (t) => {
      const { database } = await opened(t)
      await database.run(sql`CREATE TABLE members (id BIGINT AUTO_INCREMENT PRIMARY KEY,
        email VARCHAR(254) NOT NULL UNIQUE, password VARCHAR(255), email_verified_at BIGINT)
        CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci`)
      const users = new Users(database, password, { table: 'members' })
      assert.notEqual(await users.enroll('jose@x.org', right), null)
      assert.equal(await users.fetch('jos\u00e9@x.org'), null)
      assert.equal(await users.verify('jos\u00e9@x.org', right), null)
      assert.notEqual(await users.verify('jose@x.org', right), null)
      await database.run(sql`UPDATE members SET email = 'Jose@X.org'`)
      assert.notEqual(await users.verify('jose@x.org', right), null)
    })
  }

  test('ten sign-ins with a legacy hash all succeed, and one hash is stored', async (t) => {
    const { database, users, reported } = await opened(t)
    const id = (await users.enroll('ada@x.org', right)) ?? ''
    const former = await formerPassword.hash(right)
    await database.run(sql`UPDATE users SET password = ${former}`)
    const identities = await Promise.all(
      Array.from({ length: 10 }, () => users.verify('ada@x.org', right)),
    )
    assert.deepEqual(
      identities.map((identity) => identity?.id),
      Array(10).fill(id),
    )
    for (const identity of identities) {
      assert.equal(identity === null ? null : await users.isUnchanged(identity), true)
    }
    assert.deepEqual(reported, [])
  })

  test('sign-ins with a legacy hash never restore a changed password', async (t) => {
    const { database, users } = await opened(t)
    const id = (await users.enroll('ada@x.org', right)) ?? ''
    const [former, changed] = [await formerPassword.hash(right), await password.hash('changed')]
    for (let round = 0; round < 3; round += 1) {
      await database.run(sql`UPDATE users SET password = ${former}`)
      const entering = Array.from({ length: 4 }, () => users.verify('ada@x.org', right))
      await Promise.race(entering)
      await users.store(id, changed)
      const identities = await Promise.all(entering)
      assert.equal(await users.check(id, 'changed'), true)
      for (const identity of identities) {
        assert.equal(identity !== null && (await users.isUnchanged(identity)), false)
      }
    }
  })

  if (name !== Dialects.SQLite) {
    test('isUnchanged waits for a concurrent change, and sees its outcome', async (t) => {
      const { database, users } = await opened(t)
      const id = (await users.enroll('ada@x.org', right)) ?? ''
      const hash = await password.hash('another')
      const identity = await users.verify('ada@x.org', right)
      assert.ok(identity !== null)
      let isCommitted = false
      const answers: Promise<readonly [boolean, boolean]>[] = []
      await database.transaction(async (transaction) => {
        await new Users(transaction, password).store(id, hash)
        answers.push(users.isUnchanged(identity).then((stands) => [stands, isCommitted] as const))
        await Promise.race([...answers, sleep(100)])
        isCommitted = true
      })
      assert.deepEqual(await Promise.all(answers), [[false, true]])
    })
  }
})
