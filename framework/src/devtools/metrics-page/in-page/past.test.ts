import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MetricsFeed } from '../../../../tests/process/metrics-feed.ts'
import type { Behaviour } from '../../../../tests/process/metrics-feed.ts'
import { bucketsIn, mergeSteps, readPast, record, writePast } from './past.ts'
import type { Past } from './past.ts'
import { readSample } from './sample.ts'

const nothing: Past = { steps: [], sample: null }

/** What is kept of a fleet that was looked at every ten seconds. */
function pastOf(behaviour: Partial<Behaviour>, looks: number, past: Past = nothing): Past {
  const feed = new MetricsFeed(behaviour, 10)
  for (let look = 0; look < looks; look += 1) {
    const sample = readSample(feed.next())
    assert.ok(sample)
    past = record(past, sample, 15)
  }
  return past
}

const total = (past: Past, key: string): number =>
  past.steps.reduce((sum, { grown }) => sum + (grown[key] ?? 0), 0)

test('an hour is kept, of the last five minutes every ten seconds and before every minute', () => {
  const { steps } = pastOf({}, 500)
  const last = steps.at(-1)?.at ?? 0
  const fine = steps.filter(({ seconds }) => seconds === 10)
  assert.ok(fine.length >= 30 && fine.length <= 36, `${fine.length} fine steps`)
  assert.ok(steps.length <= 92, `${steps.length} steps`)
  assert.ok((steps[0]?.at ?? 0) > last - 3_600)
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 0)
  assert.ok(seconds > 3_500 && seconds <= 3_660, `${seconds} s`)
})

test('no count is lost as steps are merged', () => {
  const past = pastOf({ routes: [{ route: '/', status: 500, rate: 3, median: 0.02 }] }, 300)
  assert.equal(total(past, 'requests'), 299 * 10 * 50)
  const [all] = mergeSteps(past.steps)
  assert.ok(all)
  const buckets = bucketsIn(all, 'route GET /')
  assert.equal(buckets.get('+Inf'), 299 * 10 * 3)
  assert.equal(buckets.get('5xx'), 299 * 10 * 3)
  assert.equal(buckets.get('0.05'), Math.round(299 * 30 * (1 - 2 ** -2.5)))
})

test('bounds that appear later, as with the first failure, lose no counts', () => {
  const calm = { route: '/', status: 200, rate: 3, median: 0.02 }
  const first = pastOf({}, 2).steps
  const second = pastOf({ routes: [calm] }, 2).steps
  const third = pastOf({ routes: [calm, { ...calm, status: 500, rate: 1 }] }, 2).steps
  for (const order of [
    [...first, ...second, ...third],
    [...third, ...second, ...first],
  ]) {
    const [all] = mergeSteps(order)
    assert.ok(all)
    const buckets = bucketsIn(all, 'route GET /')
    assert.deepEqual([buckets.get('+Inf'), buckets.get('5xx')], [70, 10])
    assert.equal(bucketsIn(all, 'latency').get('+Inf'), 1_500)
  }
})

test('a step is kept for every ten seconds, however often somebody looks', () => {
  const feed = new MetricsFeed({}, 2)
  let past = nothing
  for (let look = 0; look < 31; look += 1) {
    const sample = readSample(feed.next())
    assert.ok(sample)
    past = record(past, sample)
  }
  assert.deepEqual(
    past.steps.map(({ seconds }) => seconds),
    [8, 10, 10, 10, 10, 10, 2],
  )
})

test('a clock that is set back loses the steps of the future, and nothing else', () => {
  const past = pastOf({}, 20)
  const at = (past.sample?.at ?? 0) - 60
  const later = record(past, { at, series: [], counters: new Map(), gauges: new Map() })
  assert.equal(later.steps.length, 13)
  assert.ok(later.steps.every((step) => step.at <= at))
})

test('of many routes the failing and the busiest are kept apart, the others together', () => {
  const routes = Array.from({ length: 60 }, (_, at) => ({
    route: `/r${at}`,
    status: at === 59 ? 500 : 200,
    rate: 100 - at,
    median: 0.01,
  }))
  const [step] = pastOf({ routes }, 2).steps
  assert.ok(step)
  const keys = Object.keys(step.counts)
  assert.ok(keys.includes('route GET /r0') && keys.includes('route GET /r59'))
  assert.equal(keys.includes('route GET /r25'), false)
  const counted = keys
    .filter((key) => key.startsWith('route '))
    .reduce((sum, key) => sum + (bucketsIn(step, key).get('+Inf') ?? 0), 0)
  assert.equal(counted, 10 * routes.reduce((sum, { rate }) => sum + rate, 0))
})

test('a large and busy fleet takes less than half a megabyte', () => {
  const pids = Array.from({ length: 16 }, (_, at) => 2_000_000 + at)
  const routes = Array.from({ length: 50 }, (_, at) => ({
    route: `/organisations/:organisation/projects/:project/reports/${at}`,
    status: 200,
    rate: 150,
    median: 0.04,
  }))
  const past = pastOf({ rate: () => 150_000, workers: () => pids, routes }, 375)
  const bytes = writePast(past).length
  assert.ok(bytes < 500_000, `${bytes} bytes`)
})

test('what was written is read, and what another release or somebody else wrote is not', () => {
  const past = pastOf({}, 5)
  assert.deepEqual(readPast(JSON.parse(writePast(past))), past.steps)
  for (const other of [null, 7, [], {}, { version: 0, steps: past.steps }, { version: 1 }]) {
    assert.deepEqual(readPast(other), [])
  }
})
