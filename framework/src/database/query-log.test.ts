import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidArgumentException } from '../base/errors.ts'
import { StepKinds } from '../activity/step.ts'
import type { Step } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import type { Query } from './sql/plan/statement.ts'
import { DatabaseError } from './database-error.ts'
import { doneOperation, failedOperation, pendingOperation } from './operation.ts'
import type { Operation, Result } from './operation.ts'
import { statementKind, withQueryLog } from './query-log.ts'
import type { QueryEntry } from './query-log.ts'

const query = { sql: 'UPDATE t SET a = ? WHERE b = ?', parameters: ['secret', 2] }
const result: Result = { rows: [], affected: 3 }

async function told(response: (query: Query) => Operation): Promise<readonly QueryEntry[]> {
  const entries: QueryEntry[] = []
  withQueryLog(response, (entry) => entries.push(entry))(query)
  await new Promise(setImmediate)
  return entries
}

test('a successful statement is logged with its text, its rows and the number of its values', async () => {
  const [entry, ...others] = await told(() => doneOperation(query, result))
  assert.deepEqual(others, [])
  assert.equal(entry?.sql, query.sql)
  assert.equal(entry.parameters, 2)
  assert.equal(entry.rows, 3)
  assert.equal(entry.failure, null)
  assert.ok(entry.durationMs >= 0)
})

test('no bound value is logged', async () => {
  const entries = await told(() => failedOperation(query, new DatabaseError('E_VALUE', 'secret')))
  assert.ok(!JSON.stringify(entries).includes('secret'))
})

test('a failure is logged with its code', async () => {
  const failures: readonly [Error, string][] = [
    [new DatabaseError('E_DUPLICATE_KEY', 'twice'), 'E_DUPLICATE_KEY'],
    [new InvalidArgumentException('E_INVALID_ARGUMENT', 'undefined'), 'E_INVALID_ARGUMENT'],
    [new Error('other'), 'E_DATABASE'],
  ]
  for (const [error, code] of failures) {
    const [entry] = await told(() => failedOperation(query, error))
    assert.equal(entry?.failure, code)
    assert.equal(entry.rows, 0)
  }
})

test('a pending statement is logged when it settles, and not before', async () => {
  const { promise, resolve } = Promise.withResolvers<Result>()
  const entries: QueryEntry[] = []
  withQueryLog(
    (sent) => pendingOperation(sent, promise),
    (entry) => entries.push(entry),
  )(query)
  await new Promise(setImmediate)
  assert.equal(entries.length, 0)
  resolve(result)
  await new Promise(setImmediate)
  assert.equal(entries[0]?.rows, 3)
})

test('a statement that settles before it is awaited is logged once', async () => {
  const { promise, resolve } = Promise.withResolvers<Result>()
  const entries: QueryEntry[] = []
  const operation = withQueryLog(
    (sent) => pendingOperation(sent, promise),
    (entry) => entries.push(entry),
  )(query)
  resolve(result)
  await new Promise(setImmediate)
  assert.equal(await operation.settled(), result)
  await operation.settled()
  assert.equal(entries.length, 1)
})

test('the duration of a synchronous statement does not include what its caller does next', async () => {
  const entries: QueryEntry[] = []
  withQueryLog(
    (sent) => doneOperation(sent, result),
    (entry) => entries.push(entry),
  )(query)
  const busyUntil = performance.now() + 300
  while (performance.now() < busyUntil);
  await new Promise(setImmediate)
  assert.ok((entries[0]?.durationMs ?? 300) < 300)
})

test('a log that throws affects neither the statement nor the process', async () => {
  const send = withQueryLog(
    (sent) => doneOperation(sent, result),
    () => {
      throw new Error('the log is broken')
    },
  )
  assert.equal(await send(query).settled(), result)
})

test('without a log and watchers a statement is only sent', () => {
  const operation = doneOperation(query, result)
  const send = (): Operation => ({
    ...operation,
    get result(): Result {
      return assert.fail('nobody asked for it')
    },
  })
  assert.equal(withQueryLog(send, null)(query).query, query)
})

test('a statement is a step for those who watch', (t) => {
  const seen: Step[] = []
  t.after(Steps.Instance.watch({ ended: (step) => void seen.push(step) }))
  withQueryLog((sent) => doneOperation(sent, result), null)(query)
  const [step] = seen
  assert.equal(step?.kind, StepKinds.Sql)
  assert.equal(step.text, query.sql)
  assert.equal(step.count, 3)
  assert.equal(step.failure, null)
})

test('a pending statement ends once, whoever waits for it, and passes its result on', async (t) => {
  const seen: Step[] = []
  t.after(Steps.Instance.watch({ ended: (step) => void seen.push(step) }))
  const { promise, resolve } = Promise.withResolvers<Result>()
  const operation = withQueryLog((sent) => pendingOperation(sent, promise), null)(query)
  assert.equal(operation.state, 'pending')
  const waiting = [operation.settled(), operation.settled()]
  resolve(result)
  assert.deepEqual(await Promise.all(waiting), [result, result])
  assert.deepEqual([operation.state, operation.result, operation.query], ['done', result, query])
  assert.equal(seen.length, 1)
  assert.equal(await operation.settled(), result)
})

test('a failure that nobody looks at does not end the process, watched or not', async (t) => {
  t.after(Steps.Instance.watch({ ended() {} }))
  const failing = Promise.reject(new DatabaseError('E_VALUE', 'no'))
  const operation = withQueryLog((sent) => pendingOperation(sent, failing), null)(query)
  void operation.settled()
  void operation.settled()
  await new Promise(setImmediate)
  assert.equal(operation.state, 'failed')
  assert.throws(() => operation.result, { code: 'E_VALUE' })
})

test('a short statement is no step for those who watch slow ones', (t) => {
  const seen: Step[] = []
  t.after(Steps.Instance.watch({ minMs: 60_000, ended: (step) => void seen.push(step) }))
  withQueryLog((sent) => doneOperation(sent, result), null)(query)
  assert.equal(seen.length, 0)
  withQueryLog((sent) => failedOperation(sent, new DatabaseError('E_VALUE', 'no')), null)(query)
  assert.equal(seen[0]?.failure, 'E_VALUE')
})

test('a long statement is a step for those who watch slow ones', (t) => {
  const seen: Step[] = []
  t.after(Steps.Instance.watch({ minMs: 5, ended: (step) => void seen.push(step) }))
  const send = withQueryLog((sent) => {
    const busyUntil = performance.now() + 5
    while (performance.now() < busyUntil);
    return doneOperation(sent, result)
  }, null)
  send(query)
  assert.equal(seen[0]?.count, 3)
  assert.ok(seen[0].durationMs >= 5)
})

test('the first word of a statement is its kind', () => {
  for (const [sql, kind] of [
    ['SELECT 1', 'SELECT'],
    ['select 1', 'SELECT'],
    ['Insert into a', 'INSERT'],
    ['  \n update a set b = 1', 'UPDATE'],
    ['-- why\n/* and\nhow */ DELETE FROM a', 'DELETE'],
    ['(SELECT 1) UNION (SELECT 2)', 'SELECT'],
    ['WITH a AS (SELECT 1) SELECT * FROM a', 'OTHER'],
    ['SET x = 1', 'OTHER'],
    ['BEGIN', 'OTHER'],
    ['', 'OTHER'],
    ['/* never closed', 'OTHER'],
  ] as const) {
    assert.equal(statementKind(sql), kind, sql)
  }
})
