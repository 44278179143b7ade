import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSample, seriesOf } from './sample.ts'

test('a document becomes series identified by their sorted labels', () => {
  const sample = readSample({
    timestamp: 12.5,
    metrics: {
      a_total: {
        type: 'counter',
        help: '',
        series: [{ labels: { z: '1', a: 'x"y' }, value: 3 }],
      },
    },
  })
  assert.ok(sample)
  assert.equal(sample.at, 12.5)
  const [series] = seriesOf(sample, 'a_total')
  assert.equal(series?.key, 'a="x\\"y", z="1"')
  assert.equal(series?.value, 3)
  assert.equal(series?.buckets, null)
  assert.deepEqual(seriesOf(sample, 'absent'), [])
})

test('the value of a histogram is its count', () => {
  const buckets = { 1: 2, 0.5: 1, '+Inf': 3 }
  const sample = readSample({
    timestamp: 1,
    metrics: { h: { series: [{ labels: {}, buckets, sum: 4.5, count: 3 }] } },
  })
  assert.ok(sample)
  const [series] = seriesOf(sample, 'h')
  assert.equal(series?.value, 3)
  assert.equal(series?.sum, 4.5)
  assert.deepEqual(Object.fromEntries(series?.buckets ?? []), buckets)
})

test('anything but a metrics document is null', () => {
  const strange = [null, 7, 'x', [], {}, { timestamp: 'x', metrics: {} }, { timestamp: 1 }]
  for (const document of strange) assert.equal(readSample(document), null)
  assert.equal(readSample({ timestamp: NaN, metrics: {} }), null)
  assert.equal(readSample({ timestamp: 1, metrics: [] }), null)
})

test('parts that make no sense are left out, and harm no others', () => {
  const sample = readSample({
    timestamp: 1,
    metrics: {
      number: 5,
      listless: { series: {} },
      mixed: {
        series: [
          null,
          7,
          { value: 1 },
          { labels: [], value: 1 },
          { labels: {}, value: '1' },
          { labels: {}, value: Infinity },
          { labels: {}, buckets: { 1: 'x' }, sum: 1 },
          { labels: {}, buckets: { 1: 'x', '+Inf': 1 }, sum: 1, count: 1 },
          { labels: { pid: 7 }, value: 2 },
        ],
      },
    },
  })
  assert.ok(sample)
  assert.deepEqual([...sample.metrics.keys()], ['mixed'])
  const [histogram, counter, ...more] = seriesOf(sample, 'mixed')
  assert.deepEqual([...(histogram?.buckets ?? [])], [['+Inf', 1]])
  assert.equal(counter?.key, 'pid="7"')
  assert.equal(more.length, 0)
})
