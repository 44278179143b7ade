import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextDelay } from './live-page.ts'

test('each failure doubles the time to the next request, up to a maximum', () => {
  const delays = (refresh: number, max: number): number[] =>
    [0, 1, 2, 3, 4, 5, 1_000].map((failures) => nextDelay(failures, refresh, max))
  assert.deepEqual(delays(1, 10), [1, 2, 4, 8, 10, 10, 10])
  assert.deepEqual(delays(2, 30), [2, 4, 8, 16, 30, 30, 30])
})

test('a page that looks rarely does not look more often because of failures', () => {
  assert.equal(nextDelay(3, 60, 30), 60)
})
