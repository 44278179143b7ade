import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quantile, ratesOf, stepOf } from './rates.ts'
import type { Sample } from './sample.ts'

const sampleAt = (at: number, counters: Readonly<Record<string, number>>): Sample => {
  return { at, series: [], counters: new Map(Object.entries(counters)), gauges: new Map() }
}

test('a step holds what grew; what fell was reset, what is new counts from zero', () => {
  const before = sampleAt(10, { requests: 10, read: 500, 'cpu 7': 2 })
  const after = sampleAt(12, { requests: 30, read: 40, written: 5, 'cpu 7': 2.5, 'cpu 8': 900 })
  const { seconds, grown } = stepOf(before, after)
  assert.equal(seconds, 2)
  // A worker may have been counting for an unknown time.
  assert.deepEqual(Object.fromEntries(grown), { requests: 20, read: 40, written: 5, 'cpu 7': 0.5 })
})

test('a rate is the growth by its time', () => {
  const grown = new Map([['requests', 10]])
  assert.deepEqual([...ratesOf({ seconds: 4, grown })], [['requests', 2.5]])
})

const of = (buckets: Readonly<Record<string, number>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(buckets))

test('a percentile is interpolated inside its bucket', () => {
  const buckets = of({ '0.1': 50, '0.2': 90, '0.4': 100, '+Inf': 100 })
  assert.equal(quantile(buckets, 0.5), 0.1)
  assert.equal(quantile(buckets, 0.25), 0.05)
  assert.ok(Math.abs((quantile(buckets, 0.7) ?? 0) - 0.15) < 1e-12)
  assert.ok(Math.abs((quantile(buckets, 0.95) ?? 0) - 0.3) < 1e-12)
})

test('bounds are ordered as numbers, in whatever order they come', () => {
  // JavaScript lists the key 1 before the others.
  assert.equal(quantile(of({ '0.5': 10, 1: 20, '+Inf': 20 }), 0.75), 0.75)
  assert.equal(
    quantile(
      new Map([
        ['+Inf', 4],
        ['10', 4],
        ['2.5', 0],
      ]),
      0.5,
    ),
    6.25,
  )
})

test('beyond the last bound it is that bound', () => {
  assert.equal(quantile(of({ 1: 1, 10: 2, '+Inf': 100 }), 0.99), 10)
  assert.equal(quantile(of({ '+Inf': 5 }), 0.5), 0)
})

test('without observations there is none', () => {
  assert.equal(quantile(of({ 1: 0, '+Inf': 0 }), 0.5), null)
  assert.equal(quantile(new Map(), 0.5), null)
})

test('counts that seem to fall from bound to bound do no harm', () => {
  const value = quantile(of({ 1: 60, 2: 40, 3: 100, '+Inf': 100 }), 0.7)
  assert.equal(value, 2.25)
  assert.equal(quantile(of({ 1: 1, x: 3, '+Inf': 1 }), 0.5), 0.5)
})
