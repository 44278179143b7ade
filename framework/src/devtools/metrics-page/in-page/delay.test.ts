import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextDelay } from './delay.ts'

test('each failure doubles the time to the next request, up to half a minute', () => {
  const delays = [0, 1, 2, 3, 4, 5, 1_000].map((failures) => nextDelay(failures, 2))
  assert.deepEqual(delays, [2, 4, 8, 16, 30, 30, 30])
})

test('a dashboard that looks rarely does not look more often because of failures', () => {
  assert.equal(nextDelay(3, 60), 60)
})
