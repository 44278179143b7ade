import assert from 'node:assert/strict'
import { test } from 'node:test'
import { charts } from './charts.ts'
import { alternativeOf } from './alternative.ts'
import { lineOf } from './lines.ts'

test('the text alternative of a chart has the value of each line', () => {
  const latency = charts.find(({ id }) => id === 'latency')
  assert.ok(latency)
  const lines = [lineOf('p50', 3, [[{ at: 1, value: 0.012 }]], 1), lineOf('p99', 5, [], 1)]
  assert.equal(
    alternativeOf(latency, lines, 5),
    'Latency over the last 5 minutes: p50 12.0 ms, p99 unknown',
  )
  assert.equal(
    alternativeOf(latency, [], 5),
    'Latency over the last 5 minutes: nothing measured yet',
  )
})
