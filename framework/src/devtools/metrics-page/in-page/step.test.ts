import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSample } from './sample.ts'
import type { Sample } from './sample.ts'
import {
  durationsOf,
  lastSteps,
  ratesOf,
  stepOf,
  weightsOf,
  bucketIncreases,
  increases,
} from './step.ts'
import type { Step } from './step.ts'

function sampleAt(timestamp: number, metrics: object): Sample {
  const sample = readSample({ timestamp, metrics })
  assert.ok(sample)
  return sample
}

const step = (seconds: number, grown: Readonly<Record<string, number>>): Step => ({
  seconds,
  grown: new Map(Object.entries(grown)),
  durations: new Map([['+Inf', seconds]]),
  routes: new Map(),
})

test('a step holds what grew, by the names the charts know', () => {
  const one = (value: number, labels: object = {}): object => ({ series: [{ labels, value }] })
  const names = {
    http_requests_total: one(10),
    http_responses_total: one(4, { class: '5xx' }),
    exceptions_total: one(1),
    http_bytes_read_total: one(100),
    http_bytes_written_total: one(200),
    process_cpu_seconds_total: one(2, { pid: '7' }),
  }
  const later = {
    http_requests_total: one(30),
    http_responses_total: one(9, { class: '5xx' }),
    exceptions_total: one(2),
    http_bytes_read_total: one(150),
    http_bytes_written_total: one(500),
    process_cpu_seconds_total: one(2.5, { pid: '7' }),
  }
  const made = stepOf(sampleAt(10, names), sampleAt(12, later))
  assert.equal(made.seconds, 2)
  assert.deepEqual(Object.fromEntries(made.grown), {
    requests: 20,
    'responses 5xx': 5,
    exceptions: 1,
    read: 50,
    written: 300,
    'cpu 7': 0.5,
  })
})

test('the last steps are as few as cover the time that is averaged over', () => {
  const steps = [step(2, {}), step(2, {}), step(2, {}), step(2, {})]
  assert.equal(lastSteps(steps, 4).length, 2)
  assert.equal(lastSteps(steps, 5).length, 3)
  assert.equal(lastSteps(steps, 100).length, 4)
  assert.equal(lastSteps(steps, 0).length, 1)
  assert.equal(lastSteps([], 10).length, 0)
})

test('a rate is the growth over all steps by their time', () => {
  const rates = ratesOf([step(2, { requests: 10 }), step(3, { requests: 40 })], [1, 1])
  assert.deepEqual([...rates], [['requests', 10]])
})

test('a worker that came later is averaged over its own time, one that left has no rate', () => {
  const rates = ratesOf([step(8, { 'cpu 1': 4 }), step(2, { 'cpu 2': 1 })], [1, 1])
  assert.deepEqual([...rates], [['cpu 2', 0.5]])
})

test('a step counts by its weight, in rates as in durations', () => {
  const steps = [step(2, { requests: 10 }), step(2, { requests: 40 })]
  assert.deepEqual([...ratesOf(steps, [3, 1])], [['requests', 8.75]])
  assert.deepEqual([...durationsOf(steps, [3, 1])], [['+Inf', 8]])
})

test('the steps of one worker have equal weights, those of a fleet triangular ones', () => {
  const steps = [step(4, {}), step(4, {}), step(4, {}), step(4, {}), step(4, {})]
  assert.deepEqual(weightsOf(steps, 10, false), [1, 1, 1, 1, 1])
  const weights = weightsOf(steps, 10, true).map((weight) => weight.toFixed(1))
  assert.deepEqual(weights, ['0.2', '0.6', '1.0', '0.6', '0.2'])
})

test('a fleet whose workers tell in lumps has a steady rate, wherever the lumps fall', () => {
  const lumps = (second: number): number => (second % 10 < 2 ? 500 : 0)
  for (let end = 20; end < 40; end += 1) {
    const seconds = Array.from({ length: 20 }, (_, at) => end - 20 + at)
    // Each lump lies in two steps of a second.
    const steps = seconds.map((second) => step(1, { requests: lumps(second) / 2 }))
    const rate = ratesOf(steps, weightsOf(steps, 10, true)).get('requests') ?? 0
    assert.ok(Math.abs(rate - 50) < 0.5, `${rate} at ${end}`)
  }
})

test('a single step longer than all weights still gives a rate', () => {
  const steps = [step(120, { requests: 240 })]
  assert.equal(ratesOf(steps, weightsOf(steps, 10, true)).get('requests'), 2)
  assert.equal(ratesOf(steps, weightsOf(steps, 0, true)).get('requests'), 2)
})

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
