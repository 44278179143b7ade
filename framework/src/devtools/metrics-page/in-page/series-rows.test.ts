import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSample } from './sample.ts'
import type { Sample } from './sample.ts'
import { countText, exactNumber, seriesRows } from './series-rows.ts'

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
