import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pointOf } from './point.ts'
import { readSample } from './sample.ts'
import type { Sample } from './sample.ts'
import type { Step } from './step.ts'

function sampleOf(metrics: object): Sample {
  const sample = readSample({ timestamp: 100, metrics })
  assert.ok(sample)
  return sample
}

function stepWith(
  grown: Readonly<Record<string, number>>,
  durations: Readonly<Record<string, number>> = {},
): Step {
  return {
    seconds: 2,
    grown: new Map(Object.entries(grown)),
    durations: new Map(Object.entries(durations)),
    routes: new Map(),
  }
}

const nothing = sampleOf({})

test('rates are per second, those of exceptions per minute', () => {
  const { at, values } = pointOf(nothing, [stepWith({ requests: 30, exceptions: 3 })], [1])
  assert.equal(at, 100)
  assert.equal(values.get('requests'), 15)
  assert.equal(values.get('exceptions'), 90)
})

test('percentiles come from observations, and are unknown without any', () => {
  const { values } = pointOf(nothing, [stepWith({}, { 1: 80, 2: 100, '+Inf': 100 })], [1])
  assert.equal(values.get('p50'), 0.625)
  assert.equal(values.get('p90'), 1.5)
  assert.ok(Math.abs((values.get('p99') ?? 0) - 1.95) < 1e-12)
  assert.equal(pointOf(nothing, [stepWith({}, { 1: 0, '+Inf': 0 })], [1]).values.has('p50'), false)
})

test('the share of failures is that of 5xx among all answers, unknown without answers', () => {
  const { values } = pointOf(nothing, [stepWith({ 'responses 2xx': 9, 'responses 5xx': 1 })], [1])
  assert.equal(values.get('failed'), 0.1)
  assert.equal(
    pointOf(nothing, [stepWith({ 'responses 2xx': 0 })], [1]).values.has('failed'),
    false,
  )
})

test('memory and CPU are known by worker and for all of them', () => {
  const sample = sampleOf({
    process_memory_bytes: {
      series: [
        { labels: { pid: '1' }, value: 10 },
        { labels: { pid: '2' }, value: 20 },
      ],
    },
  })
  const { values } = pointOf(sample, [stepWith({ 'cpu 1': 1, 'cpu 2': 0.5 })], [1])
  assert.equal(values.get('memory 2'), 20)
  assert.equal(values.get('memory'), 30)
  assert.equal(values.get('cpu 1'), 0.5)
  assert.equal(values.get('cpu'), 0.75)
})

test('the lag is that of the worst worker', () => {
  const lag = (...values: readonly number[]): object => ({
    series: values.map((value, pid) => ({ labels: { pid: String(pid) }, value })),
  })
  const { values } = pointOf(
    sampleOf({
      runtime_event_loop_lag_seconds: lag(0.001, 0.004),
      runtime_event_loop_lag_p99_seconds: lag(0.02, 0.01),
      runtime_event_loop_lag_max_seconds: lag(0.03, 0.5),
    }),
    [],
    [],
  )
  assert.equal(values.get('lag mean'), 0.004)
  assert.equal(values.get('lag p99'), 0.02)
  assert.equal(values.get('lag max'), 0.5)
})

test('unmeasured values are not in the point', () => {
  assert.equal(pointOf(nothing, [], []).values.size, 0)
})
