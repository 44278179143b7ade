import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyHistory, remember, pointOf } from './history.ts'
import type { History } from './history.ts'
import { readSample } from './sample.ts'
import type { Sample } from './sample.ts'
import type { Step } from './step.ts'

const memory = { span: 300, average: 10, silence: 10 }

/** The history after documents that each hold a time, a number of requests and ids of workers. */
function after(
  ...documents: readonly (readonly [at: number, requests: number, ...workers: number[]])[]
): History {
  let history = emptyHistory()
  for (const [timestamp, value, ...workers] of documents) {
    const memories = workers.map((pid) => ({ labels: { pid: String(pid) }, value: 1 }))
    const sample = readSample({
      timestamp,
      metrics: {
        http_requests_total: { series: [{ labels: {}, value }] },
        process_memory_bytes: { series: memories },
        process_uptime_seconds: { series: memories },
      },
    })
    assert.ok(sample)
    history = remember(history, sample, memory)
  }
  return history
}

const lastRate = ({ points }: History): number | undefined => points.at(-1)?.values.get('requests')

test('the first sample has no rate, the second has one', () => {
  assert.equal(lastRate(after([100, 1_000])), undefined)
  assert.equal(lastRate(after([100, 1_000], [102, 1_100])), 50)
})

test('rates are averaged over the configured time only', () => {
  assert.equal(lastRate(after([100, 0, 7], [106, 0, 7], [110, 200, 7])), 20)
  assert.equal(lastRate(after([90, 0], [100, 5_000], [105, 5_050], [110, 5_200])), 20)
})

test('rates of a fleet are averaged over twice the time', () => {
  const times = [0, 5, 10, 15, 20].map((at) => [100 + at, at === 20 ? 400 : 0, 1, 2] as const)
  assert.equal(after(...times).steps.length, 4)
  // The newest step of four counts a quarter where the middle ones count three.
  assert.equal(lastRate(after(...times)), (0.25 * 400) / (5 * (0.25 + 0.75 + 0.75 + 0.25)))
})

test('a restart inside the averaging time does not lose earlier counts', () => {
  assert.equal(lastRate(after([100, 900], [102, 1_000], [104, 60])), 40)
})

test('after a silence the average begins anew', () => {
  const history = after([100, 0], [102, 100], [120, 9_000], [122, 9_020])
  assert.equal(history.points[2]?.values.has('requests'), false)
  assert.equal(lastRate(history), 10)
})

test('a sample that is not newer changes nothing', () => {
  const history = after([100, 0], [102, 100])
  assert.equal(history.points.length, 2)
  assert.equal(after([100, 0], [102, 100], [102, 100]).points.length, 2)
  assert.equal(after([100, 0], [102, 100], [101, 50]).points.length, 2)
})

test('a clock that was set back far begins a new history', () => {
  const history = after([100_000, 0], [100_002, 100], [500, 7])
  assert.deepEqual(
    history.points.map(({ at }) => at),
    [500],
  )
})

test('points older than the span are dropped', () => {
  const times = Array.from({ length: 100 }, (_, at) => [1_000 + 5 * at, at] as const)
  const { points } = after(...times)
  assert.equal(points[0]?.at, 1_495 - 300)
  assert.equal(points.length, 61)
})

test('a worker keeps its tone while others come and go, and no two share one', () => {
  const before = after([100, 0, 1, 2, 3])
  const later = after([100, 0, 1, 2, 3], [102, 0, 2, 3, 4], [104, 0, 3, 4, 5])
  for (const worker of ['1', '2', '3']) {
    assert.equal(later.tones.get(worker), before.tones.get(worker))
  }
  assert.equal(new Set(later.tones.values()).size, 5)
})

test('the tone of a worker that can no longer be seen is free again, others keep theirs', () => {
  const before = after([100, 0, 1, 2]).tones
  const { tones } = after([100, 0, 1, 2], [1_000, 0, 2, 3])
  assert.equal(tones.has('1'), false)
  assert.equal(tones.get('2'), before.get('2'))
  assert.equal(tones.get('3'), before.get('1'))
})

test('more workers than tones share them evenly', () => {
  const workers = Array.from({ length: 16 }, (_, pid) => pid)
  const tones = [...after([100, 0, ...workers]).tones.values()]
  for (let tone = 1; tone <= 8; tone += 1) {
    assert.equal(tones.filter((one) => one === tone).length, 2)
  }
})

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
