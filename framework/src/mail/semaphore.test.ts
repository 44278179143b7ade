import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Semaphore } from './semaphore.ts'

const never = new AbortController().signal

test('callers beyond the limit wait in the order they came', async () => {
  const semaphore = new Semaphore(2)
  const order: number[] = []
  const taking = [1, 2, 3, 4].map(async (number) => {
    await semaphore.acquire(never)
    order.push(number)
  })
  await new Promise(setImmediate)
  assert.deepEqual(order, [1, 2])
  semaphore.release()
  await taking[2]
  assert.deepEqual(order, [1, 2, 3])
  semaphore.release()
  semaphore.release()
  semaphore.release()
  await Promise.all(taking)
  await Promise.all([semaphore.acquire(never), semaphore.acquire(never)])
})

test('an aborted caller does not use up a permit', async () => {
  const semaphore = new Semaphore(1)
  await semaphore.acquire(never)
  const leaving = new AbortController()
  const first = semaphore.acquire(leaving.signal)
  const second = semaphore.acquire(never)
  leaving.abort(new Error('too late'))
  await assert.rejects(first, /too late/)
  semaphore.release()
  await second
  await assert.rejects(semaphore.acquire(leaving.signal), /too late/)
})
