import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyHistory, remember, pointOf, ratesOver } from './history.ts'
import type { History } from './history.ts'
import { readSample } from './sample.ts'
import type { Sample } from './sample.ts'

/** The history after documents that each hold a time, a number of requests and ids of workers. */
function after(
  ...documents: readonly (readonly [at: number, requests: number, ...workers: number[]])[]
): History {
  let history = emptyHistory
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
    history = remember(history, sample, 300)
  }
  return history
}

const lastRate = ({ points }: History): number | undefined => points.at(-1)?.values.get('requests')

test('the first sample has no rate, the second has one', () => {
  assert.equal(lastRate(after([101, 1_000])), undefined)
  assert.equal(lastRate(after([101, 1_000], [103, 1_100])), 50)
})

test('rates are averages over ten seconds, and the newest waits until it can be one', () => {
  const readings = [
    [90, 0],
    [94, 100],
    [100, 200],
    [103, 900],
  ] as const
  assert.equal(lastRate(after(...readings)), 20)
  assert.equal(lastRate(after(...readings, [110, 2_200])), 200)
})

test('a restart does not lose earlier counts, and is no peak', () => {
  assert.equal(lastRate(after([101, 900], [103, 1_000], [105, 60])), 40)
})

test('a sample that is not newer changes nothing', () => {
  const rate = lastRate(after([101, 0], [103, 100]))
  assert.equal(lastRate(after([101, 0], [103, 100], [103, 100])), rate)
})

test('a clock that was set back begins a new history', () => {
  const { points } = after([100_001, 0], [100_003, 100], [501, 7], [503, 9])
  assert.deepEqual(
    points.map(({ at }) => at),
    [503],
  )
})

test('points older than the span are dropped', () => {
  const times = Array.from({ length: 100 }, (_, at) => [1_000 + 5 * at, at] as const)
  const { points } = after(...times)
  assert.equal(points[0]?.at, 1_200)
  assert.equal(points.at(-1)?.at, 1_490)
})

test('a line is interrupted where nobody knows anything, as between two servers', () => {
  const before = after([101, 0], [110, 90], [120, 190]).past
  const sample = readSample({ timestamp: 200, metrics: { http_requests_total: { series: [] } } })
  const next = readSample({ timestamp: 210, metrics: { http_requests_total: { series: [] } } })
  assert.ok(sample)
  assert.ok(next)
  const told = { ...emptyHistory, past: { ...before, sample: null } }
  const { points } = remember(remember(told, sample, 300), next, 300)
  assert.deepEqual(
    points.map(({ at, values }) => [at, values.has('requests')]),
    [
      [110, true],
      [120, true],
      [200, false],
      [210, false],
    ],
  )
})

test('rates of a range are averages over all of it', () => {
  const { past } = after([101, 0], [110, 90], [120, 290], [130, 290])
  assert.equal(ratesOver(past, 300).get('requests'), 290 / 29)
  assert.equal(ratesOver(past, 20).get('requests'), 10)
  assert.equal(ratesOver(emptyHistory.past, 300).size, 0)
})

test('a worker keeps its tone while others come and go, and no two share one', () => {
  const before = after([100, 0, 1, 2, 3])
  const later = after([100, 0, 1, 2, 3], [110, 0, 1, 2, 3], [120, 0, 2, 3, 4], [130, 0, 3, 4, 5])
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

/** The values at a time with these rates. */
function valuesWith(
  rates: Readonly<Record<string, number>>,
  sample = nothing,
): ReadonlyMap<string, number> {
  return pointOf(sample, new Map(Object.entries(rates))).values
}

const nothing = sampleOf({})

test('rates are per second, those of exceptions per minute', () => {
  const values = valuesWith({ requests: 15, exceptions: 1.5 })
  assert.equal(values.get('requests'), 15)
  assert.equal(values.get('exceptions'), 90)
})

test('percentiles come from observations, and are unknown without any', () => {
  const values = valuesWith({ 'latency 1': 40, 'latency 2': 50, 'latency +Inf': 50 })
  assert.equal(values.get('p50'), 0.625)
  assert.equal(values.get('p90'), 1.5)
  assert.ok(Math.abs((values.get('p99') ?? 0) - 1.95) < 1e-12)
  assert.equal(valuesWith({ 'latency 1': 0, 'latency +Inf': 0 }).has('p50'), false)
})

test('the share of failures is that of 5xx among all answers, unknown without answers', () => {
  assert.equal(valuesWith({ 'responses 2xx': 9, 'responses 5xx': 1 }).get('failed'), 0.1)
  assert.equal(valuesWith({ 'responses 2xx': 0 }).has('failed'), false)
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
  const values = valuesWith({ 'cpu 1': 0.5, 'cpu 2': 0.25 }, sample)
  assert.equal(values.get('memory 2'), 20)
  assert.equal(values.get('memory'), 30)
  assert.equal(values.get('cpu 1'), 0.5)
  assert.equal(values.get('cpu'), 0.75)
})

test('the lag is that of the worst worker', () => {
  const lag = (...values: readonly number[]): object => ({
    series: values.map((value, pid) => ({ labels: { pid: String(pid) }, value })),
  })
  const values = valuesWith(
    {},
    sampleOf({
      runtime_event_loop_lag_seconds: lag(0.001, 0.004),
      runtime_event_loop_lag_p99_seconds: lag(0.02, 0.01),
      runtime_event_loop_lag_max_seconds: lag(0.03, 0.5),
    }),
  )
  assert.equal(values.get('lag mean'), 0.004)
  assert.equal(values.get('lag p99'), 0.02)
  assert.equal(values.get('lag max'), 0.5)
})

test('unmeasured values are not in the point', () => {
  assert.equal(valuesWith({}).size, 0)
})
