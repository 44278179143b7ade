import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PastStep } from './past.ts'
import { verdictOf } from './verdict.ts'
import type { VerdictLine } from './verdict.ts'

const bounds = ['0.1', '1', '2.5', '+Inf', '5xx']
const start = Date.UTC(2026, 0, 1, 14) / 1_000

/** Part of a step; `route` has cumulated counts: up to 0.1 s, 1 s, 2.5 s, all, failed. */
interface Given {
  readonly grown?: Readonly<Record<string, number>>
  readonly gauges?: Readonly<Record<string, number>>
  readonly routes?: Readonly<Record<string, readonly number[]>>
}

const fast = [10, 10, 10, 10, 0]
const slow = [1, 2, 10, 10, 0]

/** Steps of ten seconds from 14:00:10 on, the same for as long as it says. */
function steps(...parts: readonly (readonly [minutes: number, given: Given])[]): PastStep[] {
  const all = parts.flatMap(([minutes, given]) => Array.from({ length: 6 * minutes }, () => given))
  return all.map(({ grown = {}, gauges = {}, routes = {} }, at) => ({
    at: start + 10 * (at + 1),
    seconds: 10,
    grown,
    gauges: { 'uptime 7': 10_000 + 10 * at, ...gauges },
    counts: Object.fromEntries(
      Object.entries(routes).map(([name, row]) => [
        `route ${name}`,
        Object.fromEntries(bounds.map((bound, place) => [bound, row[place] ?? 0])),
      ]),
    ),
  }))
}

function said(past: readonly PastStep[], tools: readonly string[] = []): readonly VerdictLine[] {
  return verdictOf(past, tools, (at) => new Date(at * 1_000).toISOString().slice(11, 16))
}

const textOf = (past: readonly PastStep[]): string[] =>
  said(past).map(({ text, tone }) => `${tone}: ${text}`)

const well: Given = { grown: { exceptions: 0 }, routes: { 'GET /items': fast } }

test('if nothing is wrong it says for how long', () => {
  assert.deepEqual(textOf([]), [])
  assert.deepEqual(textOf(steps([1, well])), ['good: All is well in the last minute'])
  assert.deepEqual(textOf(steps([12, well])), ['good: All is well in the last 12 minutes'])
  assert.deepEqual(textOf(steps([60, well])), ['good: All is well in the last hour'])
})

test('a slow route is named with its time, and since when', () => {
  const past = steps([2, well], [3, { routes: { 'GET /items': slow, 'GET /': fast } }])
  assert.deepEqual(textOf(past), ['bad: p99 of GET /items is 2.48 s, since 14:02'])
})

test('quiet minutes do not end it, quick ones do', () => {
  const slowly: Given = { routes: { 'GET /items': slow } }
  const past = steps([2, well], [2, slowly], [3, {}], [1, slowly])
  assert.deepEqual(textOf(past), ['bad: p99 of GET /items is 2.48 s, since 14:02'])
  assert.deepEqual(textOf(steps([2, well], [2, slowly], [3, well])), [
    'good: All is well now',
    'past: p99 of GET /items was 2.48 s, from 14:02 to 14:04',
  ])
})

test('a few slow requests prove nothing', () => {
  const few: Given = { routes: { 'GET /items': [0, 0, 4, 4, 0] } }
  const [first, ...others] = steps([1, few])
  assert.ok(first)
  assert.deepEqual(textOf([first]), ['good: All is well in the last minute'])
  assert.equal(textOf([first, ...others])[0], 'bad: p99 of GET /items is 2.49 s, since 14:00')
})

test('of many slow routes three are named', () => {
  const names = Array.from({ length: 9 }, (_, at) => `GET /${at}`)
  const routes = Object.fromEntries(names.map((name, at) => [name, [0, 0, 10 + at, 20, 0]]))
  assert.equal(textOf(steps([1, { routes }])).length, 3)
})

test('failing responses are a share of all, and of a route that has more of them', () => {
  const routes = {
    'GET /': fast,
    'GET /a': [10, 10, 10, 10, 1],
    'POST /b': [10, 10, 10, 10, 2],
  }
  assert.deepEqual(textOf(steps([5, well], [2, { routes }])), [
    'bad: 10 % of all responses are errors, since 14:05',
    'bad: 20 % of the responses of POST /b are errors, since 14:05',
  ])
})

test('a route that fails while most responses are fine is named too', () => {
  const routes = { 'GET /': [99, 99, 99, 99, 0], 'GET /a': [4, 4, 4, 4, 2] }
  assert.deepEqual(textOf(steps([1, { routes }])), [
    'bad: 50 % of the responses of GET /a are errors, since 14:00',
  ])
})

test('exceptions outside of requests are counted; those of responses are named once', () => {
  const past = steps([1, { grown: { exceptions: 1 } }], [4, well])
  assert.deepEqual(textOf(past), [
    'good: All is well now',
    'past: 6 exceptions were reported, at 14:00',
  ])
  const failing = steps([1, { grown: { exceptions: 5 }, routes: { 'GET /': [5, 5, 5, 5, 5] } }])
  assert.deepEqual(
    textOf(failing).filter((text) => /exception/.test(text)),
    [],
  )
})

test('a blocked event loop is told with its worker, a slow one if it lasts', () => {
  const [first, ...others] = steps([5, well])
  assert.ok(first)
  const blocked = { ...first, grown: { 'blocked 7': 3.02, 'blocked 8': 1.1 } }
  assert.deepEqual(textOf([blocked, ...others]), [
    'good: All is well now',
    'past: The event loop of worker 7 was blocked for 3.02 s, at 14:00',
  ])
  const lag = (minutes: number): PastStep[] =>
    steps([4, well], [minutes, { gauges: { 'lag p99': 0.15 } }])
  assert.deepEqual(textOf(lag(1)), ['good: All is well in the last 5 minutes'])
  assert.deepEqual(textOf(lag(2)), ['bad: The event loop lags by up to 150 ms, since 14:04'])
})

test('a worker whose clock stands still does not report', () => {
  const stuck: Given = { gauges: { 'uptime 8': 500 } }
  assert.deepEqual(textOf(steps([1, { gauges: { 'uptime 8': 490 } }], [1, stuck])), [
    'bad: Worker 8 does not report: it may be blocked, since 14:01',
  ])
})

test('memory that grows in each quarter is a finding, what is freed again or began is not', () => {
  const memory = (of: (at: number) => number, uptime = 10_000): PastStep[] => {
    const all = steps([15, well])
    for (const [at, step] of all.entries()) {
      const gauges = { 'uptime 7': uptime + at, 'memory 7': of(at) }
      all[at] = Object.assign({}, step, { gauges })
    }
    return all
  }
  assert.deepEqual(textOf(memory((at) => 100e6 + 4e6 * at)), [
    'bad: Memory of worker 7 grows: from 100 MB to 368 MB, since 14:00',
  ])
  const fine = ['good: All is well in the last 15 minutes']
  assert.deepEqual(textOf(memory((at) => 100e6 + 4e6 * (at % 45))), fine)
  assert.deepEqual(textOf(memory((at) => 100e6 + 1e6 * at)), fine)
  const young = memory((at) => 100e6 + 4e6 * at, 0)
  assert.deepEqual(textOf(young), fine)
})

test('a line leads to the tool that has more, if the reader may open it', () => {
  const past = steps([1, { grown: { exceptions: 1 }, routes: { 'GET /items': slow } }])
  assert.deepEqual(
    said(past, ['/inspect', '/errors']).map(({ href }) => href),
    ['/inspect?q=GET%20%2Fitems', '/errors'],
  )
  assert.deepEqual(
    said(past).map(({ href }) => href),
    ['', ''],
  )
  const lag = steps([2, { gauges: { 'lag p99': 0.15 } }])
  assert.deepEqual(
    [...said(lag, ['/errors']), ...said(lag)].map(({ href }) => href),
    ['/errors/profiles', ''],
  )
})
