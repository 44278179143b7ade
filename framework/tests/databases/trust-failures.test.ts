import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceHandle, Theft } from '../../src/accounts/devices/trust.ts'
import { Token } from '../../src/accounts/tokens/token.ts'
import { DatabaseError } from '../../src/database/database-error.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { TokenStores, around } from './token-stores.ts'

onEveryDatabase((name, open) => {
  test('on a database failure null, false or 0 is returned and reported; issue and list reject', async (t) => {
    const stores = await TokenStores.open(t, open)
    const trust = stores.trust()
    const { value, selector } = await trust.issue('7')
    await stores.database.run(sql`DROP TABLE trusts`)
    const verdicts = [
      await trust.rotate(value),
      await trust.forget(value),
      await trust.end('7', deviceHandle(selector)),
      await trust.isLive(selector),
      await trust.revoke('7'),
      await trust.sweep(),
    ]
    assert.deepEqual(verdicts, [null, false, false, false, 0, 0])
    const errors = stores.reported.filter((told) => told instanceof DatabaseError)
    assert.equal(errors.length, verdicts.length)
    await assert.rejects(trust.issue('7'), DatabaseError)
    await assert.rejects(trust.list('7'), DatabaseError)
  })

  test('if dropping all devices fails, rotate is null and reported, never Theft', async (t) => {
    const stores = await TokenStores.open(t, open)
    const first = await stores.trust().issue('7')
    await stores.trust().rotate(first.value)
    let sent = 0
    const surface = around(stores.database, (proceed) => {
      sent += 1
      return sent === 1 ? proceed() : Promise.reject(new DatabaseError('E_DATABASE', 'planted'))
    })
    assert.equal(await stores.trust(surface).rotate(first.value), null)
    assert.match(String(stores.reported[0]), /planted/)
    assert.ok((await stores.trust().rotate(first.value)) instanceof Theft, 'the next one tells')
  })

  if (name !== Dialects.SQLite) {
    test('a transaction with an old snapshot does not mistake a valid validator for a replay', async (t) => {
      const stores = await TokenStores.open(t, open)
      const first = await stores.trust().issue('7')
      for (const isolation of ['read-committed', 'repeatable-read'] as const) {
        const issued = await stores.trust().issue('8')
        const rotated = stores.database.transaction(
          async (transaction) => {
            await transaction.rows(sql`SELECT id FROM trusts WHERE user_id = ${'7'}`)
            const renewed = await stores.trust().rotate(issued.value)
            assert.ok(renewed instanceof Token)
            return stores.trust(transaction).rotate(renewed.value)
          },
          { isolation },
        )
        const outcome = await rotated.catch((error: unknown) => error)
        if (outcome instanceof Error) assert.equal(Object(outcome).code, 'E_DEADLOCK')
        else assert.ok(outcome instanceof Token)
        assert.equal(await stores.trust().isLive(issued.selector), true)
      }
      assert.equal(await stores.trust().isLive(first.selector), true)
    })
  }

  test('in a transaction a failure is thrown, and a rollback restores the devices', async (t) => {
    const stores = await TokenStores.open(t, open)
    const { value } = await stores.trust().issue('7')
    await assert.rejects(
      stores.database.transaction(async (transaction) => {
        assert.equal(await stores.trust(transaction).revoke('7'), 1)
        await stores.trust(around(transaction, () => Promise.reject(new Error('planted')))).sweep()
      }),
      /planted/,
    )
    assert.deepEqual(stores.reported, [])
    assert.ok((await stores.trust().rotate(value)) instanceof Token)
  })
})
