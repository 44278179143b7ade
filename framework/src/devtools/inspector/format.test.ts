import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countText, durationText } from './format.ts'

test('durations have three digits at most', () => {
  assert.deepEqual([0.04, 0.44, 9.96, 12.5, 999.4, 999.6, 1_250, 12_345].map(durationText), [
    '0.04 ms',
    '0.4 ms',
    '10 ms',
    '13 ms',
    '999 ms',
    '1.00 s',
    '1.25 s',
    '12.3 s',
  ])
})

test('a noun follows its number', () => {
  assert.equal(countText(1, 'query', 'queries'), '1 query')
  assert.equal(countText(0, 'query', 'queries'), '0 queries')
})
