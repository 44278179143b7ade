import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Histogram } from './histogram.ts'

test('the default buckets span 5 ms to 10 s and cannot be changed', () => {
  const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  assert.deepEqual(Histogram.BUCKETS, bounds)
  assert.throws(() => Reflect.apply(Array.prototype.push, Histogram.BUCKETS, [20]), TypeError)
  const { buckets } = new Histogram('duration_seconds').read()
  assert.deepEqual(Object.keys(buckets).toSorted(), [...bounds.map(String), '+Inf'].toSorted())
})

test('a histogram reads cumulative counts, their total, the sum and the count', () => {
  const histogram = new Histogram('size', { labels: { a: 'b' }, buckets: [1, 2.5, 10] })
  const empty = { '1': 0, '2.5': 0, '10': 0, '+Inf': 0 }
  assert.deepEqual(histogram.read(), { labels: { a: 'b' }, buckets: empty, sum: 0, count: 0 })
  for (const value of [0.5, 1, 1.5, 2.5, 11, -3]) histogram.observe(value)
  assert.deepEqual(histogram.read(), {
    labels: { a: 'b' },
    // A value on a bound belongs below it.
    buckets: { '1': 3, '2.5': 5, '10': 5, '+Inf': 6 },
    sum: 13.5,
    count: 6,
  })
})

test('a reading does not change when more is observed', () => {
  const histogram = new Histogram('size', { buckets: [1] })
  const before = histogram.read()
  histogram.observe(0.5)
  assert.deepEqual(histogram.read().buckets, { '1': 1, '+Inf': 1 })
  assert.deepEqual(before.buckets, { '1': 0, '+Inf': 0 })
})

test('bounds are written in their shortest form', () => {
  const { buckets } = new Histogram('size', { buckets: [-0.5, 1e-7, 1.0, 1e21] }).read()
  assert.deepEqual(Object.keys(buckets).toSorted(), ['+Inf', '-0.5', '1', '1e+21', '1e-7'])
})

test('a histogram keeps the bounds it was made with', () => {
  const buckets = [1, 2]
  const histogram = new Histogram('size', { buckets })
  buckets.push(3)
  for (const one of [histogram, histogram.with({ a: 'b' })]) {
    assert.deepEqual(one.read().buckets, { '1': 0, '2': 0, '+Inf': 0 })
  }
})

test('a histogram may have the one bucket without bound only', () => {
  const histogram = new Histogram('size', { buckets: [] })
  histogram.observe(3)
  assert.deepEqual(histogram.read().buckets, { '+Inf': 1 })
})

test('a histogram rejects non-finite numbers', () => {
  const histogram = new Histogram('size')
  for (const value of [NaN, Infinity, -Infinity, '1', null, undefined]) {
    assert.throws(() => Reflect.apply(histogram.observe.bind(histogram), null, [value]), {
      code: 'E_METRIC_VALUE',
    })
  }
  assert.equal(histogram.read().count, 0)
})

test('a histogram refuses bounds that do not ascend, and the label that names its buckets', () => {
  assert.throws(() => new Histogram('size', { buckets: [2, 1] }), { code: 'E_METRIC_BUCKETS' })
  assert.throws(() => new Histogram('size', { labels: { le: '1' } }), { code: 'E_METRIC_LABEL' })
  assert.throws(() => new Histogram('size').with({ le: '1' }), { code: 'E_METRIC_LABEL' })
})
