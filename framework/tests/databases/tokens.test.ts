import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Purposes } from '../../src/accounts/tokens/token.ts'
import { DatabaseError } from '../../src/database/database-error.ts'
import { toQuery } from '../../src/database/run-statement.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { TokenStores, around, storedDigest, tampered } from './token-stores.ts'

const { Recovery, Verification } = Purposes

onEveryDatabase((name, open) => {
  test('a minted token is live and has user, purpose and expiry', async (t) => {
    const stores = await TokenStores.open(t, open)
    const token = await stores.tokens().mint('7', Recovery, 900)
    assert.match(token.value, /^[0-9a-f]{16}\.[0-9a-f]{64}$/)
    assert.equal(token.selector, token.value.slice(0, 16))
    assert.deepEqual([token.user, token.purpose, token.expires], ['7', 'recovery', 1_700_000_900])
    const row = {
      selector: token.selector,
      verifier: storedDigest(token.value),
      user_id: '7',
      purpose: 'recovery',
      expires: 1_700_000_900,
      created_at: 1_700_000_000,
    }
    assert.deepEqual(await stores.rows('tokens'), [row])
    assert.equal((await stores.tokens().mint('8', Recovery)).expires, 1_700_003_600)
  })

  test('minting supersedes the other token of the same user and purpose, and no other', async (t) => {
    const stores = await TokenStores.open(t, open)
    const tokens = stores.tokens()
    const first = await tokens.mint('7', Recovery)
    const other = await tokens.mint('7', Verification)
    const foreign = await tokens.mint('8', Recovery)
    stores.clock.now += 5
    const second = await tokens.mint('7', Recovery)
    assert.equal((await stores.rows('tokens')).length, 3)
    assert.equal(await tokens.check(first.value, Recovery), false)
    assert.equal(await tokens.redeem(first.value, Recovery), null)
    assert.equal(await tokens.redeem(second.value, Recovery), '7')
    assert.equal(await tokens.redeem(other.value, Verification), '7')
    assert.equal(await tokens.redeem(foreign.value, Recovery), '8')
  })

  test('a token is redeemed once, for its user', async (t) => {
    const stores = await TokenStores.open(t, open)
    const tokens = stores.tokens()
    const { value } = await tokens.mint('7', Verification)
    assert.equal(await tokens.redeem(value, Verification), '7')
    assert.deepEqual(await stores.rows('tokens'), [])
    assert.equal(await tokens.redeem(value, Verification), null)
  })

  test('a receipt tells who redeemed a token, and opens nothing', async (t) => {
    const stores = await TokenStores.open(t, open)
    const tokens = stores.tokens()
    const { value } = await tokens.mint('7', Verification)
    const superseded = await tokens.mint('8', Verification)
    const other = await tokens.mint('8', Verification)
    assert.equal(await tokens.redeemedBy(value, Verification), null)
    assert.equal(await tokens.redeem(value, Verification, { receipt: 600 }), '7')
    assert.equal(await tokens.redeem(other.value, Verification), '8')
    assert.equal(await tokens.redeemedBy(value, Verification), '7')
    for (const text of [tampered(value), superseded.value, other.value, 'nonsense']) {
      assert.equal(await tokens.redeemedBy(text, Verification), null)
    }
    assert.equal(await tokens.redeemedBy(value, Recovery), null)
    assert.equal(await tokens.redeem(value, Verification, { receipt: 600 }), null)
    assert.equal(await tokens.check(value, Verification), false)
    // What is no token any more is none to count, and a new one does not disturb it.
    assert.equal(await tokens.revoke('7'), 0)
    const again = await tokens.mint('7', Verification)
    assert.equal(await tokens.redeemedBy(value, Verification), '7')
    assert.equal(await tokens.redeem(again.value, Verification, { receipt: 600 }), '7')
    assert.equal(await tokens.redeemedBy(value, Verification), null)
    assert.equal(await tokens.redeemedBy(again.value, Verification), '7')
    stores.clock.now += 600
    assert.equal(await tokens.redeemedBy(again.value, Verification), null)
    assert.deepEqual(await stores.rows('tokens'), [])
  })

  test('of many concurrent redemptions for a receipt one wins, and all find it', async (t) => {
    const stores = await TokenStores.open(t, open)
    const tokens = stores.tokens()
    for (let round = 0; round < 3; round += 1) {
      const { value } = await tokens.mint('7', Verification)
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const user = await tokens.redeem(value, Verification, { receipt: 600 })
          return user ?? `not ${await tokens.redeemedBy(value, Verification)}`
        }),
      )
      assert.deepEqual(outcomes.toSorted(), ['7', ...Array<string>(7).fill('not 7')])
    }
    assert.deepEqual(stores.reported, [])
  })

  test('a tampered verifier gives null and consumes nothing', async (t) => {
    const stores = await TokenStores.open(t, open)
    const tokens = stores.tokens()
    const { value } = await tokens.mint('7', Recovery)
    const before = await stores.rows('tokens')
    assert.equal(await tokens.redeem(tampered(value), Recovery), null)
    assert.equal(await tokens.check(tampered(value), Recovery), false)
    assert.deepEqual(await stores.rows('tokens'), before)
    assert.equal(await tokens.redeem(value, Recovery), '7')
  })

  test('a token of another purpose gives null and consumes nothing', async (t) => {
    const stores = await TokenStores.open(t, open)
    const tokens = stores.tokens()
    const { value } = await tokens.mint('7', Recovery)
    const before = await stores.rows('tokens')
    assert.equal(await tokens.redeem(value, Verification), null)
    assert.equal(await tokens.check(value, Verification), false)
    assert.deepEqual(await stores.rows('tokens'), before)
  })

  test('a token is valid until the second before its expiry', async (t) => {
    const stores = await TokenStores.open(t, open)
    const tokens = stores.tokens()
    const { value } = await tokens.mint('7', Recovery, 60)
    stores.clock.now += 59
    assert.equal(await tokens.check(value, Recovery), true)
    assert.equal(await tokens.redeem(value, Recovery), '7')
  })

  test('an expired token gives null, and any contact purges it', async (t) => {
    const stores = await TokenStores.open(t, open)
    const tokens = stores.tokens()
    const contacts: readonly (readonly [(token: string) => Promise<unknown>, unknown])[] = [
      [(token) => tokens.redeem(token, Recovery), null],
      [(token) => tokens.check(token, Recovery), false],
      [(token) => tokens.owner(token, Recovery), null],
      [(token) => tokens.redeem(tampered(token), Recovery), null],
      [(token) => tokens.check(token, Verification), false],
    ]
    for (const [contact, refusal] of contacts) {
      const { value } = await tokens.mint('7', Recovery, 60)
      stores.clock.now += 60
      assert.equal(await contact(value), refusal)
      assert.deepEqual(await stores.rows('tokens'), [])
    }
  })

  test('a check consumes nothing, and owner tells whose the token is', async (t) => {
    const stores = await TokenStores.open(t, open)
    const tokens = stores.tokens()
    const { value } = await tokens.mint('7', Recovery)
    const before = await stores.rows('tokens')
    assert.equal(await tokens.check(value, Recovery), true)
    assert.equal(await tokens.check(value, Recovery), true)
    assert.equal(await tokens.owner(value, Recovery), '7')
    assert.equal(await tokens.owner(value, Verification), null)
    assert.equal(await tokens.owner(tampered(value), Recovery), null)
    assert.deepEqual(await stores.rows('tokens'), before)
  })

  test('revoke drops the tokens of a user, of one purpose when given, and counts them', async (t) => {
    const stores = await TokenStores.open(t, open)
    const tokens = stores.tokens()
    await tokens.mint('7', Recovery)
    const kept = await tokens.mint('7', Verification)
    const foreign = await tokens.mint('8', Recovery)
    assert.equal(await tokens.revoke('7', Recovery), 1)
    assert.equal(await tokens.check(kept.value, Verification), true)
    await tokens.mint('7', Recovery)
    assert.equal(await tokens.revoke('7'), 2)
    assert.equal(await tokens.revoke('7'), 0)
    assert.equal(await tokens.check(foreign.value, Recovery), true)
  })

  test('sweep drops what has expired and counts it', async (t) => {
    const stores = await TokenStores.open(t, open)
    const tokens = stores.tokens()
    for (const user of ['1', '2', '3']) await tokens.mint(user, Recovery, 60)
    const live = await tokens.mint('4', Recovery, 61)
    assert.equal(await tokens.sweep(), 0)
    stores.clock.now += 60
    assert.equal(await tokens.sweep(), 3)
    assert.equal(await tokens.check(live.value, Recovery), true)
  })

  test('redeeming an expired token does not delete one that was minted meanwhile', async (t) => {
    const stores = await TokenStores.open(t, open)
    for (const contact of ['redeem', 'check'] as const) {
      const old = await stores.tokens().mint('7', Recovery, 60)
      stores.clock.now += 60
      const fresh: string[] = []
      // Between the SELECT of the expired row and the statement that purges it.
      const surface = around(stores.database, async (proceed) => {
        const answer = await proceed()
        if (fresh.length === 0) fresh.push((await stores.tokens().mint('7', Recovery)).value)
        return answer
      })
      assert.ok(!(await stores.tokens(surface)[contact](old.value, Recovery)))
      assert.equal(await stores.tokens().redeem(fresh[0] ?? '', Recovery), '7')
    }
  })

  test('a token that is superseded between SELECT and DELETE is not redeemed', async (t) => {
    const stores = await TokenStores.open(t, open)
    const old = await stores.tokens().mint('7', Recovery)
    const fresh: string[] = []
    const surface = around(stores.database, async (proceed) => {
      const answer = await proceed()
      if (fresh.length === 0) fresh.push((await stores.tokens().mint('7', Recovery)).value)
      return answer
    })
    assert.equal(await stores.tokens(surface).redeem(old.value, Recovery), null)
    assert.equal(await stores.tokens().redeem(fresh[0] ?? '', Recovery), '7')
  })

  test('a user id is any text of up to 255 characters, kept exactly', async (t) => {
    const stores = await TokenStores.open(t, open)
    const users = ['7', '07', ' 7', '7 ', 'é😀', `o'brien "\\ %_`, 'A', 'a', 'x'.repeat(255)]
    const minted = await Promise.all(users.map((user) => stores.tokens().mint(user, Recovery)))
    for (const [at, { value }] of minted.entries()) {
      assert.equal(await stores.tokens().redeem(value, Recovery), users[at])
    }
  })

  test('on a database failure null, false or 0 is returned and reported, and mint rejects', async (t) => {
    const stores = await TokenStores.open(t, open)
    const tokens = stores.tokens()
    const { value } = await tokens.mint('7', Recovery)
    await stores.database.run(sql`DROP TABLE tokens`)
    assert.equal(await tokens.redeem(value, Recovery), null)
    assert.equal(await tokens.check(value, Recovery), false)
    assert.equal(await tokens.revoke('7'), 0)
    assert.equal(await tokens.sweep(), 0)
    const errors = stores.reported.filter((told) => told instanceof DatabaseError)
    assert.deepEqual(
      errors.map(({ code }) => code),
      Array(4).fill('E_STATEMENT'),
    )
    await assert.rejects(tokens.mint('7', Recovery), DatabaseError)
  })

  test('in a transaction a failure is thrown, and the work is rolled back with it', async (t) => {
    const stores = await TokenStores.open(t, open)
    const { value } = await stores.tokens().mint('7', Recovery)
    await assert.rejects(
      stores.database.transaction(async (transaction) => {
        assert.equal(await stores.tokens(transaction).redeem(value, Recovery), '7')
        throw new Error('the password was not changed')
      }),
      /not changed/,
    )
    assert.equal(await stores.tokens().check(value, Recovery), true)
    await assert.rejects(
      stores.database.transaction((transaction) =>
        stores.tokens(around(transaction, () => Promise.reject(new Error('planted')))).revoke('7'),
      ),
      /planted/,
    )
    assert.deepEqual(stores.reported, [])
  })

  if (name === Dialects.MariaDB) {
    test('a transaction with an old snapshot redeems the current row, or is aborted', async (t) => {
      const stores = await TokenStores.open(t, open)
      const work = stores.database.transaction(
        async (transaction) => {
          await transaction.rows(sql`SELECT id FROM tokens`)
          const { value } = await stores.tokens().mint('7', Recovery)
          return stores.tokens(transaction).redeem(value, Recovery)
        },
        { isolation: 'repeatable-read' },
      )
      // With innodb_snapshot_isolation, the default of newer servers, the owner must begin again.
      const outcome = await work.catch((error: unknown) => Object(error).code)
      assert.ok(['7', 'E_DEADLOCK'].includes(outcome), `came ${outcome}`)
    })
  }

  test('a duplicate selector never gives a token to another user', async (t) => {
    const stores = await TokenStores.open(t, open)
    const theirs = await stores.tokens().mint('8', Recovery)
    // The one in 2^64: the next selector is that of another user's token.
    const surface = around(stores.database, (_, statement) => {
      const query = toQuery(statement, stores.database.dialect)
      const parameters = query.parameters.map((value) =>
        /^[0-9a-f]{16}$/.test(String(value)) ? theirs.selector : value,
      )
      return stores.database.run({ ...query, parameters })
    })
    const minted = await stores
      .tokens(surface)
      .mint('7', Recovery)
      .catch((error: unknown) => error)
    if (minted instanceof Error) assert.equal(Object(minted).code, 'E_DUPLICATE_KEY')
    const rows = await stores.rows('tokens')
    for (const row of rows) {
      const isTheirs = row['verifier'] === storedDigest(theirs.value)
      assert.equal(row['user_id'], isTheirs ? '8' : '7')
    }
  })
})
