import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { TokenStores, around, createTables } from '../../../tests/databases/token-stores.ts'
import { SentStatements, verbs } from '../../../tests/databases/sent-statements.ts'
import { InvalidArgumentException } from '../../base/errors.ts'
import { connect } from '../../database/connect.ts'
import { DatabaseError } from '../../database/database-error.ts'
import type { DatabaseFailure } from '../../database/database-error.ts'
import type { Surface } from '../../database/surface.ts'
import { Schema } from '../../migrations/schema.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import { Purposes } from './token.ts'
import { createTokensTable, Tokens } from './tokens.ts'
import { createTrustsTable, Trust } from '../devices/trust.ts'

const { Recovery } = Purposes

async function opened(t: TestContext, sent = new SentStatements()): Promise<TokenStores> {
  const database = await connect('sqlite::memory:', { log: sent.log })
  t.after(() => database.close())
  await createTables(database)
  return new TokenStores(database)
}

/** A surface on which statements fail this often before they work. */
function failing<S extends Surface>(surface: S, code: DatabaseFailure, times: number): S {
  let left = times
  return around(surface, (proceed) =>
    left-- > 0 ? Promise.reject(new DatabaseError(code, 'planted')) : proceed(),
  )
}

describe('the statements sent', () => {
  test('minting is one statement; redeeming is a SELECT and a DELETE; checking is a SELECT', async (t) => {
    const sent = new SentStatements()
    const tokens = (await opened(t, sent)).tokens()
    const values: string[] = []
    const mint = async (): Promise<unknown> => values.push((await tokens.mint('7', Recovery)).value)
    assert.deepEqual(verbs(await sent.during(mint)), ['INSERT'])
    const [value = ''] = values
    assert.deepEqual(verbs(await sent.during(() => tokens.check(value, Recovery))), ['SELECT'])
    assert.deepEqual(verbs(await sent.during(() => tokens.redeem(value, Recovery))), [
      'SELECT',
      'DELETE',
    ])
    assert.deepEqual(verbs(await sent.during(() => tokens.redeem(value, Recovery))), ['SELECT'])
  })

  test('a decoy is the statement of a mint, and leaves one row however often it is repeated', async (t) => {
    const sent = new SentStatements()
    const stores = await opened(t, sent)
    const tokens = stores.tokens()
    const minted = await sent.during(() => tokens.mint('7', Recovery))
    const decoy = await sent.during(() => tokens.mintDecoy(Recovery))
    assert.deepEqual(decoy, minted)
    await tokens.mintDecoy(Recovery)
    assert.equal(await tokens.revoke('7'), 1)
    assert.equal(await tokens.revoke('(nobody)'), 1)
  })

  test('the SELECT uses the unique index of the selector', async (t) => {
    const sent = new SentStatements()
    const stores = await opened(t, sent)
    const unknown = `${'0'.repeat(16)}.${'0'.repeat(64)}`
    const looks = [
      ...(await sent.during(() => stores.tokens().check(unknown, Recovery))),
      ...(await sent.during(() => stores.trust().rotate(unknown))),
    ]
    for (const look of looks) {
      const [plan] = await stores.database.rows({
        sql: `EXPLAIN QUERY PLAN ${look}`,
        parameters: [''],
      })
      assert.match(String(plan?.['detail']), /^SEARCH \w+ USING INDEX \S+ \(selector=\?\)$/)
    }
  })

  test('nothing is sent for a malformed token', async (t) => {
    const sent = new SentStatements()
    const stores = await opened(t, sent)
    const [tokens, trust] = [stores.tokens(), stores.trust()]
    const { value } = await tokens.mint('7', Recovery)
    const statements = await sent.during(async () => {
      for (const text of ['', 'x', value.toUpperCase(), `${value}0`, value.replace('.', '/')]) {
        assert.equal(await tokens.redeem(text, Recovery), null)
        assert.equal(await tokens.check(text, Recovery), false)
        assert.equal(await trust.rotate(text), null)
        assert.equal(await trust.forget(text), false)
      }
    })
    assert.deepEqual(statements, [])
  })
})

describe('rejected before anything is sent', () => {
  test('an empty or overlong user, and a lifetime that is not a whole number of at least 1', async (t) => {
    const sent = new SentStatements()
    const stores = await opened(t, sent)
    const [tokens, trust] = [stores.tokens(), stores.trust()]
    const { value } = await trust.issue('7')
    const statements = await sent.during(async () => {
      for (const user of ['', 'x'.repeat(256)]) {
        await assert.rejects(tokens.mint(user, Recovery), InvalidArgumentException)
        await assert.rejects(trust.issue(user), InvalidArgumentException)
      }
      for (const ttl of [0, -1, 0.5, 1.5, Number.NaN, Infinity, 2 ** 53 - 1]) {
        await assert.rejects(tokens.mint('7', Recovery, ttl), InvalidArgumentException)
        await assert.rejects(trust.issue('7', ttl), InvalidArgumentException)
        await assert.rejects(trust.rotate(value, ttl), InvalidArgumentException)
      }
      for (const grace of [-1, Number.NaN, Infinity]) {
        await assert.rejects(trust.rotate(value, 60, { grace }), InvalidArgumentException)
      }
    })
    assert.deepEqual(statements, [])
  })

  test('the message says what was expected', async (t) => {
    const tokens = (await opened(t)).tokens()
    await assert.rejects(tokens.mint('', Recovery), {
      code: 'E_INVALID_ARGUMENT',
      message: 'a user id must have 1 to 255 characters, got 0',
    })
    await assert.rejects(tokens.mint('7', Recovery, 0), {
      message: 'a lifetime must be a whole number of seconds, at least 1, got 0',
    })
  })
})

describe('a statement aborted by a deadlock', () => {
  test('is retried a few times', async (t) => {
    const stores = await opened(t)
    const { value } = await stores
      .tokens(failing(stores.database, 'E_DEADLOCK', 4))
      .mint('7', Recovery)
    const redeemed = await stores
      .tokens(failing(stores.database, 'E_DEADLOCK', 4))
      .redeem(value, Recovery)
    assert.equal(redeemed, '7')
    const never = stores.tokens(failing(stores.database, 'E_DEADLOCK', 5))
    await assert.rejects(never.mint('7', Recovery), { code: 'E_DEADLOCK' })
    const broken = stores.tokens(failing(stores.database, 'E_DATABASE', 1))
    await assert.rejects(broken.mint('7', Recovery), { code: 'E_DATABASE' })
  })

  test('is not retried inside a transaction, which has been rolled back', async (t) => {
    const stores = await opened(t)
    const { value } = await stores.tokens().mint('7', Recovery)
    await stores.database.transaction(async (transaction) => {
      const tokens = stores.tokens(failing(transaction, 'E_DEADLOCK', 1))
      await assert.rejects(tokens.redeem(value, Recovery), { code: 'E_DEADLOCK' })
    })
    assert.deepEqual(stores.reported, [])
  })
})

describe('random sweeping', () => {
  const chances: readonly (readonly [number, boolean])[] = [
    [0, true],
    [0.000_999, true],
    [0.001, false],
    [0.999, false],
  ]

  test('one in a thousand tokens minted or issued also sweeps', async (t) => {
    const stores = await opened(t)
    for (const [chance, isSwept] of chances) {
      const options = { ...stores.options, random: () => chance }
      const tokens = new Tokens(stores.database, options)
      const trust = new Trust(stores.database, options)
      await stores.tokens().mint('1', Recovery, 1)
      await stores.trust().issue('1', 1)
      stores.clock.now += 1
      await tokens.mint('2', Recovery)
      await trust.issue('2')
      const left = [...(await stores.rows('tokens')), ...(await stores.rows('trusts'))]
      assert.equal(left.filter(({ user_id: user }) => user === '1').length, isSwept ? 0 : 2)
      await stores.database.run(sql`DELETE FROM tokens`)
      await stores.database.run(sql`DELETE FROM trusts`)
    }
  })

  test('a failed sweep is reported and does not affect the token', async (t) => {
    const stores = await opened(t)
    let statements = 0
    const database = around(stores.database, (proceed) => {
      statements += 1
      return statements === 1 ? proceed() : Promise.reject(new Error('planted'))
    })
    const tokens = new Tokens(database, { ...stores.options, random: () => 0 })
    const { value } = await tokens.mint('7', Recovery)
    assert.match(String(stores.reported[0]), /planted/)
    assert.equal(await stores.tokens().redeem(value, Recovery), '7')
  })

  test('never in a transaction', async (t) => {
    const stores = await opened(t)
    await stores.tokens().mint('1', Recovery, 1)
    stores.clock.now += 1
    await stores.database.transaction((transaction) =>
      new Tokens(transaction, { ...stores.options, random: () => 0 }).mint('2', Recovery),
    )
    assert.equal((await stores.rows('tokens')).length, 2)
  })
})

test('a sweep of thousands takes several statements', async (t) => {
  const sent = new SentStatements()
  const stores = await opened(t, sent)
  await stores.database
    .run(sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2500)
    INSERT INTO tokens (selector, verifier, user_id, purpose, expires, created_at)
    SELECT printf('%016d', i), printf('%064d', i), i, 'recovery', i, 0 FROM n`)
  stores.clock.now = 2400
  const deletions = await sent.during(async () => {
    assert.equal(await stores.tokens().sweep(), 2400)
  })
  assert.deepEqual(verbs(deletions), ['DELETE', 'DELETE', 'DELETE'])
  assert.equal((await stores.rows('tokens')).length, 100)
})

test('the tables can have other names', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await database.transaction(async (transaction) => {
    await createTokensTable(new Schema(transaction), 'links')
    await createTrustsTable(new Schema(transaction), 'browsers')
  })
  const tokens = new Tokens(database, { table: 'links' })
  const { value } = await tokens.mint('7', Recovery)
  assert.equal(await tokens.redeem(value, Recovery), '7')
  const trust = new Trust(database, { table: 'browsers' })
  const { selector } = await trust.issue('7')
  assert.equal(await trust.isLive(selector), true)
})

test('without its own clock a store uses the system time', async (t) => {
  const stores = await opened(t)
  const before = Math.floor(Date.now() / 1000)
  const { expires } = await new Tokens(stores.database).mint('7', Recovery, 60)
  const { expires: ends } = await new Trust(stores.database).issue('7', 60)
  const after = Math.floor(Date.now() / 1000)
  for (const end of [expires, ends]) assert.ok(end >= before + 60 && end <= after + 60)
})
