import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doneOperation, failedOperation, pendingOperation } from './operation.ts'
import type { Result } from './operation.ts'
import { PendingError } from './database-error.ts'

const query = { sql: 'SELECT 1', parameters: [] }
const result: Result = { rows: [{ one: 1 }], affected: 1 }

test('a done operation has its result, synchronously and awaited', async () => {
  const operation = doneOperation(query, result)
  assert.equal(operation.state, 'done')
  assert.equal(operation.query, query)
  assert.equal(operation.result, result)
  assert.equal(await operation.settled(), result)
})

test('a failed operation throws its error from result and rejects with it', async () => {
  const error = new Error('no')
  const operation = failedOperation(query, error)
  assert.equal(operation.state, 'failed')
  assert.throws(() => operation.result, error)
  await assert.rejects(operation.settled(), error)
})

test('a pending operation has no result until it settles', async () => {
  const { promise, resolve } = Promise.withResolvers<Result>()
  const operation = pendingOperation(query, promise)
  assert.equal(operation.state, 'pending')
  assert.throws(() => operation.result, PendingError)
  assert.throws(() => operation.result, { code: 'E_PENDING' })
  resolve(result)
  assert.equal(await operation.settled(), result)
  assert.equal(operation.state, 'done')
  assert.equal(operation.result, result)
})

test('after awaiting a pending operation its state has changed', async () => {
  const { promise, resolve } = Promise.withResolvers<Result>()
  const operation = pendingOperation(query, promise)
  const seen = operation.settled().then(() => operation.state)
  resolve(result)
  assert.equal(await seen, 'done')
})

test('a pending operation that fails throws the same error from then on', async () => {
  const error = new Error('no')
  const operation = pendingOperation(query, Promise.reject(error))
  await assert.rejects(operation.settled(), error)
  assert.equal(operation.state, 'failed')
  assert.throws(() => operation.result, error)
})

test('an unhandled failure does not end the process', async () => {
  const failures: unknown[] = []
  const hear = (reason: unknown): void => void failures.push(reason)
  process.on('unhandledRejection', hear)
  try {
    const operation = pendingOperation(query, Promise.reject(new Error('no')))
    await new Promise(setImmediate)
    assert.equal(operation.state, 'failed')
    assert.deepEqual(failures, [])
  } finally {
    process.off('unhandledRejection', hear)
  }
})

test('an operation is not a promise, so that awaiting it by accident changes nothing', async () => {
  const operation = pendingOperation(query, Promise.resolve(result))
  for (const each of [
    operation,
    doneOperation(query, result),
    failedOperation(query, new Error()),
  ]) {
    assert.ok(!('then' in each))
  }
})
