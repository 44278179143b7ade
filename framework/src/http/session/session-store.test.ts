import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpError } from '../errors/http-error.ts'
import { mapStoreResult } from './session-store.ts'

const double = (answer: number): number => answer * 2

async function refused(outcome: unknown, cause: Error): Promise<void> {
  assert.ok(outcome instanceof Promise)
  await assert.rejects(outcome, (error) => {
    assert.ok(error instanceof HttpError)
    assert.deepEqual([error.status, error.cause], [503, cause])
    return true
  })
}

test('a synchronous result of a store is mapped without a promise, an asynchronous one with a promise', async () => {
  assert.equal(
    mapStoreResult(() => 2, double),
    4,
  )
  const later = mapStoreResult(() => Promise.resolve(2), double)
  assert.ok(later instanceof Promise)
  assert.equal(await later, 4)
})

test('a store that fails, synchronously or not, leads to a rejection with 503', async () => {
  const failure = new Error('the table is missing')
  const atOnce = mapStoreResult((): number => {
    throw failure
  }, double)
  await refused(atOnce, failure)
  await refused(
    mapStoreResult(() => Promise.reject<number>(failure), double),
    failure,
  )
})

test('what fails after the answer is no failure of the store', async () => {
  const defect = new TypeError('a defect')
  const fail = (): never => {
    throw defect
  }
  assert.throws(() => mapStoreResult(() => 2, fail), defect)
  await assert.rejects(async () => mapStoreResult(() => Promise.resolve(2), fail), defect)
})
