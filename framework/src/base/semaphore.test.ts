import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Semaphore } from './semaphore.ts'

function tick(): Promise<unknown> {
  return new Promise(setImmediate)
}

test('slots are acquired in the order of the requests', async () => {
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

test('no more slots are taken than there are', async () => {
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

test('a newcomer between a release and the next in line does not go first', async () => {
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

test('a wait that is too long resolves with null and leaves the queue', async () => {
  const semaphore = new Semaphore(1)
  const release = await semaphore.acquire(10_000)
  const impatient = semaphore.acquire(5)
  const patient = semaphore.acquire(10_000)
  assert.equal(await impatient, null)
  release?.()
  assert.ok(await patient)
})

test('releasing a slot twice releases it once', async () => {
  const semaphore = new Semaphore(1)
  const release = await semaphore.acquire(10_000)
  release?.()
  release?.()
  assert.ok(await semaphore.acquire(10_000))
  assert.equal(await semaphore.acquire(5), null)
})

test('a timeout beyond the maximum of a timer still waits', async () => {
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
