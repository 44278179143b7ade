import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Semaphore } from './semaphore.ts'

function tick(): Promise<unknown> {
  return new Promise(setImmediate)
}

test('places are given in the order of asking', async () => {
  const semaphore = new Semaphore(1)
  const order: number[] = []
  const work = async (number: number): Promise<void> => {
    const release = await semaphore.acquire(10_000)
    order.push(number)
    await tick()
    release?.()
  }
  await Promise.all([1, 2, 3, 4, 5].map(work))
  assert.deepEqual(order, [1, 2, 3, 4, 5])
})

test('no more than the given number of places is taken at a time', async () => {
  const semaphore = new Semaphore(3)
  let inside = 0
  let most = 0
  const work = async (): Promise<void> => {
    const release = await semaphore.acquire(10_000)
    most = Math.max(most, ++inside)
    await tick()
    inside--
    release?.()
  }
  await Promise.all(Array.from({ length: 20 }, work))
  assert.equal(most, 3)
})

test('who comes between a release and the next in line does not go first', async () => {
  const semaphore = new Semaphore(1)
  const release = await semaphore.acquire(10_000)
  const waiting = semaphore.acquire(10_000)
  release?.()
  let isIn = false
  const late = semaphore.acquire(10_000).then((next) => {
    isIn = true
    return next
  })
  const first = await waiting
  await tick()
  assert.equal(isIn, false)
  first?.()
  assert.ok(await late)
})

test('who waits too long gets null and leaves the line', async () => {
  const semaphore = new Semaphore(1)
  const release = await semaphore.acquire(10_000)
  const impatient = semaphore.acquire(5)
  const patient = semaphore.acquire(10_000)
  assert.equal(await impatient, null)
  release?.()
  assert.ok(await patient)
})

test('giving a place back twice gives it back once', async () => {
  const semaphore = new Semaphore(1)
  const release = await semaphore.acquire(10_000)
  release?.()
  release?.()
  assert.ok(await semaphore.acquire(10_000))
  assert.equal(await semaphore.acquire(5), null)
})

test('a wait longer than a timer can count is still a wait', async () => {
  const semaphore = new Semaphore(1)
  const release = await semaphore.acquire(1)
  const next = semaphore.acquire(2 ** 40)
  let isOver = false
  const seen = next.then(() => (isOver = true))
  await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(isOver, false)
  release?.()
  await seen
  const last = await next
  assert.ok(last)
})
