import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factsOf } from './facts.ts'
import { readSample } from './sample.ts'

test('workers are counted, the oldest gives the uptime, counters are summed', () => {
  const sample = readSample({
    timestamp: 1,
    metrics: {
      process_uptime_seconds: {
        series: [
          { labels: { pid: '1' }, value: 3_700 },
          { labels: { pid: '2' }, value: 20 },
        ],
      },
      http_requests_total: { series: [{ labels: {}, value: 12_000 }] },
      exceptions_total: { series: [{ labels: {}, value: 0 }] },
    },
  })
  assert.ok(sample)
  assert.deepEqual(factsOf(sample), {
    workers: '2',
    uptime: '1 h 1 min',
    requests: '12,000',
    exceptions: '0',
  })
})

test('unmeasured values are a dash', () => {
  const sample = readSample({ timestamp: 1, metrics: {} })
  assert.ok(sample)
  assert.deepEqual(new Set(Object.values(factsOf(sample))), new Set(['–']))
})
