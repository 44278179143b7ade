import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedRun } from './fleet-scrape.ts'

/** A task that gives the number of its run, once it is let go. */
function controlled(): { shared: () => Promise<number>; runs: (() => void)[] } {
  const runs: (() => void)[] = []
  const shared = sharedRun(
    () =>
      new Promise<number>((resolve) => {
        const number = runs.length + 1
        runs.push(() => resolve(number))
      }),
  )
  return { shared, runs }
}

test('calls made during a run share the next one', async () => {
  const { shared, runs } = controlled()
  const first = shared()
  await new Promise(setImmediate)
  assert.equal(runs.length, 1)
  const [second, third] = [shared(), shared()]
  runs[0]?.()
  assert.equal(await first, 1)
  await new Promise(setImmediate)
  assert.equal(runs.length, 2)
  const fourth = shared()
  runs[1]?.()
  assert.deepEqual(await Promise.all([second, third]), [2, 2])
  await new Promise(setImmediate)
  runs[2]?.()
  assert.equal(await fourth, 3)
  await new Promise(setImmediate)
  void shared()
  await new Promise(setImmediate)
  assert.equal(runs.length, 4)
})

test('a failing run fails for all its callers, and the next call runs again', async () => {
  let runs = 0
  const shared = sharedRun(() => {
    runs += 1
    return runs === 1 ? Promise.reject(new Error('once')) : Promise.resolve(runs)
  })
  const [first, second] = [shared(), shared()]
  assert.equal(first, second)
  await assert.rejects(first, /once/)
  assert.equal(await shared(), 2)
})
