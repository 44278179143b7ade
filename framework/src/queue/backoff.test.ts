import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoffAfter } from './backoff.ts'

test('each failure waits twice as long as the one before, up to a limit', () => {
  const options = { backoff: 10, maxBackoff: 3_600 }
  const waits = [1, 2, 3, 4, 9, 10, 50, 2_000].map((attempt) => backoffAfter(attempt, options))
  assert.deepEqual(waits, [10, 20, 40, 80, 2_560, 3_600, 3_600, 3_600])
  assert.equal(backoffAfter(5, { backoff: 0, maxBackoff: 3_600 }), 0)
})
