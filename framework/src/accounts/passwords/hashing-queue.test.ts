import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Steps } from '../../activity/steps.ts'
import { OverloadedError } from '../../base/errors.ts'
import { HashingQueue, hashingSlots } from './hashing-queue.ts'

interface Job {
  readonly result: Promise<number>
  readonly end: () => void
}

/** Starts work that ends on demand, and records the order of the starts. */
function worker(line: HashingQueue, begun: number[]): (number: number) => Job {
  return (number) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const result = line.run(async () => {
      begun.push(number)
      await promise
      return number
    })
    return { result, end: resolve }
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('as many run as there are slots, the others in order of arrival', async () => {
  const begun: number[] = []
  const start = worker(new HashingQueue({ slots: 2, wait: 30, waiting: 10 }), begun)
  const jobs = [1, 2, 3, 4].map(start)
  await turn()
  assert.deepEqual(begun, [1, 2])
  jobs[1]?.end()
  await turn()
  assert.deepEqual(begun, [1, 2, 3])
  for (const { end } of jobs) end()
  assert.deepEqual(await Promise.all(jobs.map(({ result }) => result)), [1, 2, 3, 4])
  assert.deepEqual(begun, [1, 2, 3, 4])
})

test('a newcomer does not take the slot of the first in the queue', async () => {
  const begun: number[] = []
  const start = worker(new HashingQueue({ slots: 1, wait: 30, waiting: 10 }), begun)
  const [first, second] = [start(1), start(2)]
  first.end()
  await first.result
  const third = start(3)
  await turn()
  assert.deepEqual(begun, [1, 2])
  for (const job of [second, third]) job.end()
  await third.result
})

test('work that fails releases its slot', async () => {
  const line = new HashingQueue({ slots: 1, wait: 30, waiting: 10 })
  await assert.rejects(
    line.run(() => Promise.reject(new Error('broken'))),
    /broken/,
  )
  await assert.rejects(
    line.run(() => {
      throw new Error('broken at once')
    }),
    /broken at once/,
  )
  assert.equal(await line.run(() => Promise.resolve(7)), 7)
})

test('work that waits longer than the limit is rejected and never starts', async () => {
  const begun: number[] = []
  const start = worker(new HashingQueue({ slots: 1, wait: 0.01, waiting: 10 }), begun)
  const [first, second] = [start(1), start(2)]
  await assert.rejects(second.result, (error) => {
    assert.ok(error instanceof OverloadedError)
    assert.deepEqual([error.code, error.retryAfter], ['E_OVERLOADED', 1])
    return true
  })
  first.end()
  await first.result
  await turn()
  assert.deepEqual(begun, [1])
  const third = start(3)
  third.end()
  assert.equal(await third.result, 3)
})

test('work that finds the queue full is rejected immediately', async () => {
  const begun: number[] = []
  const start = worker(new HashingQueue({ slots: 1, wait: 2, waiting: 1 }), begun)
  const [first, second, third] = [start(1), start(2), start(3)]
  await assert.rejects(third.result, { name: 'OverloadedError', retryAfter: 2 })
  for (const { end } of [first, second]) end()
  assert.deepEqual(await Promise.all([first.result, second.result]), [1, 2])
  assert.deepEqual(begun, [1, 2])
})

test('networks take turns, however many of one are waiting', async () => {
  const begun: string[] = []
  const line = new HashingQueue({ slots: 1, wait: 30, waiting: 1000 })
  const start = (name: string, network: string): Promise<void> =>
    line.run(async () => void begun.push(name), network)
  const flood = Array.from({ length: 200 }, (_, at) => start(`flood ${at}`, '192.0.2.0/24'))
  const others = [start('b 1', 'b'), start('b 2', 'b'), start('c 1', 'c')]
  await Promise.all([...flood, ...others])
  assert.deepEqual(begun.slice(0, 7), [
    'flood 0',
    'flood 1',
    'b 1',
    'c 1',
    'flood 2',
    'b 2',
    'flood 3',
  ])
  assert.equal(begun.length, 203)
})

test('in a full queue the network with the most waiting gives up its latest', async () => {
  const begun: number[] = []
  const line = new HashingQueue({ slots: 1, wait: 30, waiting: 3 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const start = (number: number, network: string): Promise<number> =>
    line.run(async () => {
      begun.push(number)
      await promise
      return number
    }, network)
  const flood = [1, 2, 3, 4].map((number) => start(number, 'a'))
  const other = start(5, 'b')
  await assert.rejects(flood[3] ?? assert.fail(), { name: 'OverloadedError' })
  await assert.rejects(start(6, 'a'), { name: 'OverloadedError' })
  // Two of one and one of the other: one more of the latter would only trade places.
  await assert.rejects(start(7, 'b'), { name: 'OverloadedError' })
  resolve()
  assert.equal(await other, 5)
  await Promise.all(flood.slice(0, 3))
  assert.deepEqual(begun, [1, 2, 5, 3])
})

test('one thread of the pool stays free for file access and DNS lookups', () => {
  assert.equal(hashingSlots(undefined, 64), 3)
  assert.equal(hashingSlots('8', 64), 7)
  assert.equal(hashingSlots('2', 64), 1)
})

test('no more run at once than there are cores', () => {
  assert.equal(hashingSlots(undefined, 2), 2)
  assert.equal(hashingSlots('64', 4), 4)
})

test('there is always at least one slot, whatever the environment says', () => {
  for (const threads of ['1', '0', '-3', 'many', '']) assert.equal(hashingSlots(threads, 8), 1)
  assert.equal(hashingSlots('4', 1), 1)
})

test('where the time of a hash goes can be seen, whether it succeeds or not', async (t) => {
  const seen: string[] = []
  t.after(Steps.Instance.watch({ wantsSpans: true, ended: ({ name }) => void seen.push(name) }))
  const queue = new HashingQueue({ slots: 1, wait: 1, waiting: 1 })
  await queue.run(() => Promise.resolve())
  await assert.rejects(queue.run(() => Promise.reject(new Error('no memory'))))
  assert.deepEqual(seen, ['hash a password', 'hash a password'])
})
