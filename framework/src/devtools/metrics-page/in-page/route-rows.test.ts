import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routeRows } from './route-rows.ts'
import { readSample } from './sample.ts'
import type { Sample } from './sample.ts'
import { stepOf } from './step.ts'

interface Counted {
  readonly route?: string
  readonly method?: string
  readonly status?: string
  readonly overflow?: boolean
  /** Requests up to 0.1 s, up to 1 s, and in all. */
  readonly counts: readonly [number, number, number]
}

function sampleAt(timestamp: number, counted: readonly Counted[]): Sample {
  const series = counted.map(({ route, method = 'GET', status, overflow, counts }) => ({
    labels: {
      ...(overflow !== true && { http_request_method: method }),
      ...(route !== undefined && { http_route: route }),
      ...(status !== undefined && { http_response_status_code: status }),
      ...(overflow === true && { overflow: 'true' }),
    },
    buckets: { '0.1': counts[0], '1': counts[1], '+Inf': counts[2] },
    sum: 1,
    count: counts[2],
  }))
  const metrics = { http_server_request_duration_seconds: { series } }
  const sample = readSample({ timestamp, metrics })
  assert.ok(sample)
  return sample
}

function rowsOf(before: Sample, after: Sample): (readonly string[])[] {
  return routeRows(after, [stepOf(before, after)], [1]).map(({ texts }) => texts)
}

test('a row adds up the statuses of a route: rate, percentiles and the share of 5xx', () => {
  const before = sampleAt(10, [
    { route: '/a', status: '200', counts: [10, 10, 10] },
    { route: '/a', status: '404', counts: [1, 1, 1] },
    { route: '/a', status: '500', counts: [0, 0, 0] },
  ])
  const after = sampleAt(12, [
    { route: '/a', status: '200', counts: [18, 18, 18] },
    { route: '/a', status: '404', counts: [2, 2, 2] },
    { route: '/a', status: '500', counts: [0, 1, 1] },
  ])
  assert.deepEqual(rowsOf(before, after), [['GET /a', '5.00/s', '55.6 ms', '910 ms', '10.0 %']])
})

test('a new series counts from zero, and so does one that was reset', () => {
  const before = sampleAt(10, [{ route: '/a', status: '200', counts: [50, 50, 50] }])
  const after = sampleAt(12, [
    { route: '/a', status: '200', counts: [4, 4, 4] },
    { route: '/b', status: '200', counts: [2, 2, 2] },
  ])
  assert.deepEqual(
    rowsOf(before, after).map(([name, rate]) => [name, rate]),
    [
      ['GET /a', '2.00/s'],
      ['GET /b', '1.00/s'],
    ],
  )
})

test('requests without a route, and those beyond the cap, have rows of their own', () => {
  const all = (count: number): Counted[] => [
    { status: '404', counts: [count, count, count] },
    { method: '_OTHER', status: '405', counts: [count, count, count] },
    { overflow: true, counts: [count, count, count] },
  ]
  assert.deepEqual(
    rowsOf(sampleAt(10, all(1)), sampleAt(12, all(3))).map(([name]) => name),
    ['GET without a route', '_OTHER without a route', 'All other routes'],
  )
})

test('a route that is not used now has a rate of zero and no percentiles', () => {
  const sample = (at: number): Sample =>
    sampleAt(at, [{ route: '/a', status: '200', counts: [5, 5, 5] }])
  assert.deepEqual(rowsOf(sample(10), sample(12)), [['GET /a', '0/s', '–', '–', '–']])
  assert.deepEqual(routeRows(sample(10), [], [])[0]?.texts, ['GET /a', '–', '–', '–', '–'])
})
