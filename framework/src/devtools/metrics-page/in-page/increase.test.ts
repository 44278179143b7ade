import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketIncreases, increases } from './increase.ts'
import { readSample } from './sample.ts'
import type { Sample } from './sample.ts'

function sampleOf(...series: readonly object[]): Sample {
  const sample = readSample({ timestamp: 1, metrics: { m: { series } } })
  assert.ok(sample)
  return sample
}

const counted = (value: number, labels: object = {}): object => ({ labels, value })

const observed = (counts: Readonly<Record<string, number>>, labels: object = {}): object => ({
  labels,
  buckets: counts,
  sum: 1,
  count: counts['+Inf'],
})

test('a counter grew by the difference of its values', () => {
  const grown = increases(sampleOf(counted(10)), sampleOf(counted(17)), 'm', '')
  assert.deepEqual([...grown], [['', 7]])
})

test('a value that fell began again at zero', () => {
  const grown = increases(sampleOf(counted(10)), sampleOf(counted(4)), 'm', '')
  assert.deepEqual([...grown], [['', 4]])
})

test('each series restarts for itself, whatever the sum of all does', () => {
  const before = sampleOf(counted(100, { route: 'a' }), counted(5, { route: 'b' }))
  const after = sampleOf(counted(3, { route: 'a' }), counted(500, { route: 'b' }))
  assert.deepEqual([...increases(before, after, 'm', '')], [['', 498]])
})

test('growth is added up by the value of a label', () => {
  const before = sampleOf(counted(1, { class: '2xx', route: 'a' }))
  const after = sampleOf(
    counted(4, { class: '2xx', route: 'a' }),
    counted(2, { class: '2xx', route: 'b' }),
    counted(7, { class: '5xx', route: 'a' }),
  )
  const grown = increases(before, after, 'm', 'class')
  assert.deepEqual(Object.fromEntries(grown), { '2xx': 5, '5xx': 7 })
})

test('a worker seen for the first time has not grown yet, one that left is forgotten', () => {
  const before = sampleOf(counted(9, { pid: '1' }), counted(3, { pid: '2' }))
  const after = sampleOf(counted(4, { pid: '2' }), counted(800, { pid: '3' }))
  assert.deepEqual([...increases(before, after, 'm', 'pid')], [['2', 1]])
})

test('a counter that is not there grew by nothing at all, not by zero', () => {
  assert.equal(increases(sampleOf(counted(1)), sampleOf(counted(1)), 'absent', '').size, 0)
})

test('a histogram counted the difference of each bucket, over all its series', () => {
  const before = sampleOf(observed({ 1: 2, '+Inf': 3 }, { route: 'a' }))
  const after = sampleOf(
    observed({ 1: 5, '+Inf': 7 }, { route: 'a' }),
    observed({ 1: 1, '+Inf': 1 }, { route: 'b' }),
  )
  const grown = bucketIncreases(before, after, 'm')
  assert.deepEqual(Object.fromEntries(grown), { 1: 4, '+Inf': 5 })
})

test('a histogram of which one bucket fell began again with all of them', () => {
  const before = sampleOf(observed({ 1: 2, '+Inf': 3 }))
  const after = sampleOf(observed({ 1: 1, '+Inf': 9 }))
  assert.deepEqual(Object.fromEntries(bucketIncreases(before, after, 'm')), { 1: 1, '+Inf': 9 })
})
