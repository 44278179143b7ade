import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialects } from '../../tests/support/dialects.ts'
import { sql } from './sql/plan/statement.ts'
import { BusyError, DatabaseError } from './database-error.ts'
import { pendingOperation } from './operation.ts'
import type { Result } from './operation.ts'
import { SerialQueue, SerialTransaction } from './serial-transaction.ts'
import type { Transaction } from './surface.ts'

interface Line {
  readonly transaction: SerialTransaction
  /** The statements sent, in order. */
  readonly sent: readonly string[]
  /** Holds back the response to the next statement with this text. */
  readonly hold: (text: string) => (outcome: Result | Error) => void
}

const result: Result = { rows: [{ one: 1 }], affected: 1 }
const query = (text: string) => ({ sql: text, parameters: [] })

function line(): Line {
  const sent: string[] = []
  const held = new Map<string, Promise<Result>>()
  const transaction = new SerialTransaction({
    dialect: dialects.postgres,
    kind: 'async',
    send: (given) => {
      sent.push(given.sql)
      return pendingOperation(given, held.get(given.sql) ?? Promise.resolve(result))
    },
    watch: () => () => true,
    keeps: () => true,
  })
  const hold: Line['hold'] = (text) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    promise.catch(() => undefined)
    held.set(text, promise)
    return (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome))
  }
  return { transaction, sent, hold }
}

function tick(): Promise<unknown> {
  return new Promise(setImmediate)
}

test('a transaction is a serial surface of its connection', () => {
  const { transaction } = line()
  assert.equal(transaction.serial, true)
  assert.equal(transaction.kind, 'async')
  assert.equal(transaction.dialect.name, 'postgres')
})

test('statements go to the connection one after the other, in its dialect', async () => {
  const { transaction, sent } = line()
  assert.equal(await transaction.run(sql`a ${1} b ${2}`), result)
  assert.deepEqual(await transaction.rows(query('c')), [{ one: 1 }])
  assert.deepEqual(sent, ['a $1 b $2', 'c'])
})

test('a second statement while one is pending is rejected and not sent', async () => {
  const { transaction, sent, hold } = line()
  const response = hold('a')
  const first = transaction.dispatch(query('a'))
  assert.throws(() => transaction.dispatch(query('b')), BusyError)
  assert.throws(() => transaction.dispatch(query('b')), { code: 'E_SURFACE_BUSY' })
  response(result)
  await first.settled()
  await transaction.run(query('b'))
  assert.deepEqual(sent, ['a', 'b'])
})

test('run, rows and nested transactions wait for their turn, in the order of the calls', async () => {
  const { transaction, sent, hold } = line()
  const response = hold('a')
  const all = Promise.all([
    transaction.dispatch(query('a')).settled(),
    transaction.run(query('b')),
    transaction.transaction(async (inner) => {
      await Promise.all([inner.run(query('c')), inner.rows(query('d'))])
      await assert.rejects(transaction.run(query('never')), BusyError)
    }),
    transaction.transaction((inner) => inner.run(query('e'))),
    transaction.rows(query('f')),
  ])
  await tick()
  assert.deepEqual(sent, ['a'])
  response(result)
  await all
  const [save, release] = ['SAVEPOINT framework_1', 'RELEASE SAVEPOINT framework_1']
  assert.deepEqual(sent, ['a', 'b', save, 'c', 'd', release, save, 'e', release, 'f'])
})

test('a transaction completes with the statements that wait, and fails with a nested one that does', async () => {
  const { transaction, sent, hold } = line()
  const response = hold('a')
  const waiting = [transaction.run(query('a')), transaction.run(query('b'))]
  const completed = transaction.complete()
  await tick()
  assert.deepEqual(sent, ['a'])
  response(result)
  await completed
  await Promise.all(waiting)
  assert.deepEqual(sent, ['a', 'b'])

  const other = line()
  const end = other.hold('a')
  const first = other.transaction.run(query('a'))
  const nested = other.transaction.transaction(() => 1)
  nested.catch(() => undefined)
  const failing = other.transaction.complete()
  failing.catch(() => undefined)
  end(result)
  await assert.rejects(failing, BusyError)
  await first
  await assert.rejects(nested, { code: 'E_DATABASE_CLOSED' })
  assert.deepEqual(other.sent, ['a'])
})

test('what waits when the transaction fails is not sent', async () => {
  const { transaction, sent, hold } = line()
  const response = hold('a')
  const waiting = [transaction.run(query('a')), transaction.run(query('b'))]
  const settled = Promise.allSettled(waiting)
  transaction.end()
  response(new Error('no'))
  const codes = (await settled).map((one) => one.status === 'rejected' && String(one.reason))
  assert.match(String(codes[1]), /this transaction has ended/)
  assert.deepEqual(sent, ['a'])
})

test('a nested transaction refuses what only the outermost one can have', async () => {
  const { transaction, sent } = line()
  for (const [name, options] of Object.entries({
    isolation: { isolation: 'serializable' },
    readOnly: { readOnly: true },
    foreignKeys: { foreignKeys: false },
  } as const)) {
    await assert.rejects(
      transaction.transaction(() => 1, options),
      { name: 'InvalidArgumentException', message: new RegExp(`cannot set ${name}`) },
    )
  }
  assert.deepEqual(sent, [])
  const harmless = { readOnly: false, foreignKeys: true, retry: 3 }
  assert.equal(await transaction.transaction(() => 1, harmless), 1)
})

test('a pipeline is rejected', () => {
  const { transaction, sent } = line()
  assert.throws(() => transaction.pipeline(), BusyError)
  assert.deepEqual(sent, [])
})

test('after its end a transaction rejects statements', async () => {
  const { transaction, sent } = line()
  transaction.end()
  assert.throws(() => transaction.dispatch(query('a')), DatabaseError)
  await assert.rejects(transaction.run(query('a')), { code: 'E_DATABASE_CLOSED' })
  await assert.rejects(
    transaction.transaction(() => 1),
    { code: 'E_DATABASE_CLOSED' },
  )
  assert.deepEqual(sent, [])
})

test('a nested transaction is a savepoint that is released when its work is done', async () => {
  const { transaction, sent } = line()
  const outcome = await transaction.transaction(async (inner) => {
    await inner.run(query('a'))
    return inner.transaction(async (innermost) => {
      await innermost.run(query('b'))
      return 'outcome'
    })
  })
  assert.equal(outcome, 'outcome')
  assert.deepEqual(sent, [
    'SAVEPOINT framework_1',
    'a',
    'SAVEPOINT framework_2',
    'b',
    'RELEASE SAVEPOINT framework_2',
    'RELEASE SAVEPOINT framework_1',
  ])
})

test('a nested transaction is rolled back when its work throws, and the outer one continues', async () => {
  const { transaction, sent } = line()
  const error = new Error('no')
  const inside = transaction.transaction(async (inner) => {
    await inner.run(query('a'))
    throw error
  })
  await assert.rejects(inside, error)
  await transaction.run(query('b'))
  assert.deepEqual(sent, [
    'SAVEPOINT framework_1',
    'a',
    'ROLLBACK TO SAVEPOINT framework_1',
    'RELEASE SAVEPOINT framework_1',
    'b',
  ])
})

test('an inner failure is reported even when the rollback fails', async () => {
  const { transaction, hold } = line()
  hold('ROLLBACK TO SAVEPOINT framework_1')(new Error('the connection is lost'))
  const error = new Error('no')
  await assert.rejects(
    transaction.transaction(() => Promise.reject(error)),
    error,
  )
})

test('a failed statement settles before its savepoint is rolled back', async () => {
  const { transaction, sent, hold } = line()
  const response = hold('a')
  const inside = transaction.transaction((inner) => {
    inner.dispatch(query('a'))
    throw new Error('no')
  })
  inside.catch(() => undefined)
  await tick()
  assert.deepEqual(sent, ['SAVEPOINT framework_1', 'a'])
  response(new Error('failed too'))
  await assert.rejects(inside, /no/)
  assert.equal(sent[2], 'ROLLBACK TO SAVEPOINT framework_1')
})

test('the outer transaction rejects statements while the inner one is open', async () => {
  const { transaction } = line()
  await transaction.transaction(async (inner) => {
    assert.throws(() => transaction.dispatch(query('a')), BusyError)
    await assert.rejects(
      transaction.transaction(() => 1),
      BusyError,
    )
    await inner.run(query('a'))
  })
  await transaction.run(query('a'))
})

test('an inner transaction that has ended can no longer be used', async () => {
  const { transaction, sent } = line()
  let kept: Transaction | null = null
  await transaction.transaction((inner) => {
    kept = inner
  })
  const before = sent.length
  await assert.rejects(async () => kept?.run(query('late')), { code: 'E_DATABASE_CLOSED' })
  assert.equal(sent.length, before)
})

test('a release waits for a statement that was not awaited', async () => {
  const { transaction, sent, hold } = line()
  const response = hold('a')
  const inside = transaction.transaction((inner) => {
    inner.dispatch(query('a'))
  })
  await tick()
  assert.deepEqual(sent, ['SAVEPOINT framework_1', 'a'])
  response(result)
  await inside
  assert.equal(sent[2], 'RELEASE SAVEPOINT framework_1')
})

// The connection may be in use by another transaction by then, with savepoints of the same names.
test('an inner transaction that was not awaited sends nothing after the end of the outer one', async () => {
  const { transaction, sent } = line()
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const inside = transaction.transaction(async (inner) => {
    await promise
    await inner.run(query('late'))
  })
  inside.catch(() => undefined)
  await tick()
  transaction.end()
  resolve(undefined)
  await assert.rejects(inside, { code: 'E_DATABASE_CLOSED' })
  assert.deepEqual(sent, ['SAVEPOINT framework_1'])
})

test('a transaction does not complete while a nested one is open', async () => {
  const { transaction } = line()
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const inside = transaction.transaction(() => promise)
  inside.catch(() => undefined)
  await tick()
  await assert.rejects(transaction.complete(), BusyError)
  resolve(undefined)
  await assert.rejects(inside, { code: 'E_DATABASE_CLOSED' })
})

test('completing waits for the pending statement and rejects later ones', async () => {
  const { transaction, hold } = line()
  const response = hold('a')
  transaction.dispatch(query('a'))
  let isComplete = false
  const completed = transaction.complete().then(() => (isComplete = true))
  await tick()
  assert.equal(isComplete, false)
  assert.throws(() => transaction.dispatch(query('b')), { code: 'E_DATABASE_CLOSED' })
  response(new Error('its own caller hears of it'))
  await completed
})

test('work runs in the order of the calls, the first of it immediately, failures included', async () => {
  const queue = new SerialQueue()
  const seen: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = queue.run(async () => {
    seen.push('first begins')
    await gate.promise
    seen.push('first ends')
    throw new Error('no')
  })
  const others = ['second', 'third'].map((name) =>
    queue.run(async () => {
      seen.push(name)
      return name
    }),
  )
  assert.deepEqual(seen, ['first begins'])
  assert.equal(queue.isFree, false)
  gate.resolve()
  await assert.rejects(first, /no/)
  assert.deepEqual(await Promise.all(others), ['second', 'third'])
  assert.deepEqual(seen, ['first begins', 'first ends', 'second', 'third'])
  assert.equal(queue.isFree, true)
})
