import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSample } from './sample.ts'
import type { Sample } from './sample.ts'
import { ratesOf, stepOf } from './rates.ts'
import {
  countText,
  exactNumber,
  seriesRows,
  statementRows,
  routeRows,
  nextSorting,
  shownText,
  topRows,
  factsOf,
} from './tables.ts'
import type { RankedRow, Sorting } from './tables.ts'

function sampleOf(metrics: object): Sample {
  const sample = readSample({ timestamp: 1, metrics })
  assert.ok(sample)
  return sample
}

const few = sampleOf({
  http_responses_total: {
    series: [
      { labels: { class: '2xx' }, value: 1_234_567 },
      { labels: { class: '5xx' }, value: 2 },
    ],
  },
  waits: { series: [{ labels: {}, buckets: { '+Inf': 3 }, sum: 0.25, count: 3 }] },
})

test('a row has name, labels and value; for a histogram count and sum', () => {
  assert.deepEqual(seriesRows(few, '', 500).rows, [
    ['http_responses_total', 'class="2xx"', '1,234,567'],
    ['http_responses_total', 'class="5xx"', '2'],
    ['waits', '', '3 observed, sum 0.25'],
  ])
})

test('a search finds series that hold all its words, in name or labels, in whatever case', () => {
  const found = (search: string): number => seriesRows(few, search, 500).found
  assert.equal(found('RESPONSES'), 2)
  assert.equal(found('5XX http'), 1)
  assert.equal(found('  class="2xx"  '), 1)
  assert.equal(found('waits 5xx'), 0)
  assert.equal(found('.*'), 0)
})

test('at most the allowed number of rows is returned, and the text says so', () => {
  const series = Array.from({ length: 700 }, (_, at) => ({ labels: { at: String(at) }, value: at }))
  const found = seriesRows(sampleOf({ many: { series } }), '', 500)
  assert.equal(found.rows.length, 500)
  assert.equal(countText(found), 'The first 500 of 700 series: search to see others')
  assert.equal(countText(seriesRows(few, '', 500)), '3 series')
  assert.equal(countText(seriesRows(few, '5xx', 500)), '1 of 3 series')
})

test('numbers are as exact as can be read', () => {
  assert.equal(exactNumber(0), '0')
  assert.equal(exactNumber(1_700_000_000.25), '1,700,000,000.25')
  assert.equal(exactNumber(0.000_012_345), '0.0000123')
  assert.equal(exactNumber(-3), '-3')
})

test('a row has statement, caller, runs, mean and maximum', () => {
  const one = { statement: 'SELECT a', count: 1_200, total: 6, max: 0.25, caller: 'src/a.ts:7' }
  assert.deepEqual(statementRows({ statements: [one, { ...one, caller: null }] }), [
    {
      texts: ['SELECT a', 'src/a.ts:7', '1,200', '5.00 ms', '250 ms'],
      keys: ['SELECT a', 1_200, 0.005, 0.25],
    },
    {
      texts: ['SELECT a', '', '1,200', '5.00 ms', '250 ms'],
      keys: ['SELECT a', 1_200, 0.005, 0.25],
    },
  ])
})

test('what is no list of statements is told apart from an empty one', () => {
  assert.equal(statementRows('<html>'), null)
  assert.equal(statementRows({}), null)
  assert.deepEqual(statementRows({ statements: [] }), [])
  assert.deepEqual(statementRows({ statements: [null, { statement: 'x' }] }), [])
})

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
  const rates = ratesOf(stepOf(before, after))
  return routeRows(after, rates).map(({ texts }) => texts)
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
  assert.deepEqual(routeRows(sample(10), new Map())[0]?.texts, ['GET /a', '–', '–', '–', '–'])
})

const row = (name: string, number: number | null): RankedRow => ({
  texts: [name],
  keys: [name, number],
})
const rows = [row('b', 2), row('c', null), row('a', 10), row('d', 0.5)]

function sorted(sorting: Sorting, most = 20): string {
  return topRows(rows, sorting, most)
    .map(({ texts }) => texts[0])
    .join('')
}

test('rows are sorted by a column, unknown numbers last, either way', () => {
  assert.equal(sorted({ column: 1, descending: true }), 'abdc')
  assert.equal(sorted({ column: 1, descending: false }), 'dbac')
  assert.equal(sorted({ column: 0, descending: false }), 'abcd')
  assert.equal(sorted({ column: 0, descending: true }), 'dcba')
})

test('only the first rows are shown, and the text says of how many', () => {
  assert.equal(sorted({ column: 1, descending: true }, 2), 'ab')
  assert.equal(shownText(2, 4, 'routes'), 'The first 2 of 4 routes.')
  assert.equal(shownText(4, 4, 'routes'), '')
})

test('a second click on a header turns the order, another column starts from the top', () => {
  const first = nextSorting({ column: 1, descending: true }, 1)
  assert.deepEqual(first, { column: 1, descending: false })
  assert.deepEqual(nextSorting(first, 1), { column: 1, descending: true })
  assert.deepEqual(nextSorting(first, 2), { column: 2, descending: true })
  assert.deepEqual(nextSorting(first, 0), { column: 0, descending: false })
})

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
