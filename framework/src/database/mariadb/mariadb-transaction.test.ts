import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Query } from '../sql/plan/statement.ts'
import { DatabaseError } from '../database-error.ts'
import type { DatabaseFailure } from '../database-error.ts'
import { pendingOperation } from '../operation.ts'
import type { Operation } from '../operation.ts'
import type { Transaction, TransactionOptions } from '../surface.ts'
import { inTransaction as inTransactionOf } from './mariadb-transaction.ts'

const inTransaction = <T>(
  send: Parameters<typeof inTransactionOf>[0],
  work: (transaction: Transaction) => Promise<T> | T,
  options: TransactionOptions,
): Promise<T> => inTransactionOf(send, work, options, () => true)

const insert: Query = { sql: 'insert', parameters: [] }

describe('a transaction', () => {
  test('is begun, and committed when its work resolves', async () => {
    const line = fakeLine()
    assert.equal(await inTransaction(line.send, (inner) => inner.run(insert).then(() => 7), {}), 7)
    assert.deepEqual(line.sent, ['START TRANSACTION', 'insert', 'COMMIT'])
  })

  test('is rolled back when its work throws', async () => {
    const line = fakeLine()
    const failing = inTransaction(line.send, () => Promise.reject(new Error('no')), {})
    await assert.rejects(failing, /^Error: no$/)
    assert.deepEqual(line.sent, ['START TRANSACTION', 'ROLLBACK'])
  })

  test('sets its isolation level for itself only, before it begins', async () => {
    const line = fakeLine()
    await inTransaction(line.send, () => 1, { isolation: 'read-committed', readOnly: true })
    assert.deepEqual(line.sent, [
      'SET TRANSACTION ISOLATION LEVEL READ COMMITTED',
      'START TRANSACTION READ ONLY',
      'COMMIT',
    ])
  })

  test('rejects an unknown isolation level before anything is sent', async () => {
    const line = fakeLine()
    const options = { isolation: Object('read-everything') }
    await assert.rejects(
      inTransaction(line.send, () => 1, options),
      { code: 'E_INVALID_ARGUMENT' },
    )
    assert.deepEqual(line.sent, [])
  })

  test('that cannot begin runs no work', async () => {
    const line = fakeLine({ 'START TRANSACTION': 'E_CONNECTION_LOST' })
    let ran = false
    const failing = inTransaction(
      line.send,
      () => {
        ran = true
      },
      {},
    )
    await assert.rejects(failing, { code: 'E_CONNECTION_LOST' })
    assert.equal(ran, false)
  })
})

describe('a statement that is not awaited', () => {
  test('belongs to the transaction', async () => {
    const line = fakeLine()
    await inTransaction(line.send, (inner) => void inner.dispatch(insert), {})
    assert.deepEqual(line.sent, ['START TRANSACTION', 'insert', 'COMMIT'])
  })

  test('fails the transaction when it fails', async () => {
    const line = fakeLine({ insert: 'E_DUPLICATE_KEY' })
    const failing = inTransaction(line.send, (inner) => void inner.dispatch(insert), {})
    await assert.rejects(failing, { code: 'E_DUPLICATE_KEY' })
    assert.deepEqual(line.sent, ['START TRANSACTION', 'insert', 'ROLLBACK'])
  })
})

describe('after a deadlock, which rolls back everything', () => {
  test('later statements are rejected: each would be committed by itself', async () => {
    const line = fakeLine({ update: 'E_DEADLOCK' })
    const failing = inTransaction(
      line.send,
      async (inner) => {
        await inner.run({ sql: 'update', parameters: [] }).catch(() => undefined)
        await inner.run(insert)
      },
      {},
    )
    await assert.rejects(failing, { code: 'E_DEADLOCK' })
    assert.deepEqual(line.sent, ['START TRANSACTION', 'update', 'ROLLBACK'])
  })

  test('work that ignores it is not committed', async () => {
    const line = fakeLine({ update: 'E_DEADLOCK' })
    const failing = inTransaction(
      line.send,
      (inner) => inner.run({ sql: 'update', parameters: [] }).catch(() => undefined),
      {},
    )
    await assert.rejects(failing, { code: 'E_DEADLOCK' })
    assert.deepEqual(line.sent, ['START TRANSACTION', 'update', 'ROLLBACK'])
  })

  test('other failures do not end the transaction', async () => {
    const line = fakeLine({ update: 'E_DUPLICATE_KEY' })
    await inTransaction(
      line.send,
      (inner) => inner.run({ sql: 'update', parameters: [] }).catch(() => undefined),
      {},
    )
    // MariaDB reports an implicit commit before a failed statement only with the next one.
    assert.deepEqual(line.sent, ['START TRANSACTION', 'update', 'SELECT 1', 'COMMIT'])
  })
})

describe('a COMMIT', () => {
  test('whose connection breaks fails with an error that says the outcome is unknown', async () => {
    const line = fakeLine({ COMMIT: 'E_CONNECTION_LOST' })
    await assert.rejects(
      inTransaction(line.send, () => 1, {}),
      {
        code: 'E_CONNECTION_LOST',
        message: /it is unknown whether the transaction was committed$/,
      },
    )
  })

  test('that fails otherwise is passed on', async () => {
    const line = fakeLine({ COMMIT: 'E_CHECK' })
    await assert.rejects(
      inTransaction(line.send, () => 1, {}),
      { code: 'E_CHECK' },
    )
    assert.deepEqual(line.sent, ['START TRANSACTION', 'COMMIT', 'ROLLBACK'])
  })
})

interface FakeLine {
  readonly sent: readonly string[]
  readonly send: (query: Query) => Operation
}

/** A connection that responds to everything except what is to fail. */
function fakeLine(failures: Readonly<Record<string, DatabaseFailure>> = {}): FakeLine {
  const sent: string[] = []
  const answerTo = async (sql: string): Promise<{ rows: []; affected: number }> => {
    await setImmediate()
    const code = failures[sql]
    if (code !== undefined) throw new DatabaseError(code, 'as planned')
    return { rows: [], affected: 0 }
  }
  return {
    sent,
    send: (query) => {
      sent.push(query.sql)
      return pendingOperation(query, answerTo(query.sql))
    },
  }
}
