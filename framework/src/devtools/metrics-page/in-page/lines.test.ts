import assert from 'node:assert/strict'
import { test } from 'node:test'
import { charts } from './charts.ts'
import type { Chart } from './charts.ts'
import { emptyHistory } from './history.ts'
import type { History } from './history.ts'
import { alternativeOf, lineOf, linesOf, loneDots, nearestTime } from './lines.ts'

function chartOf(id: string): Chart {
  const chart = charts.find((one) => one.id === id)
  assert.ok(chart)
  return chart
}

/** A history with a point each second from 1 on. */
function historyOf(...points: readonly Readonly<Record<string, number>>[]): History {
  return {
    ...emptyHistory,
    points: points.map((values, at) => ({ at: at + 1, values: new Map(Object.entries(values)) })),
    tones: new Map([
      ['7', 4],
      ['12', 2],
    ]),
  }
}

test('a line has its value at the selected time, and the minimum and maximum of the history', () => {
  const history = historyOf({ requests: 5 }, { requests: 9 }, { requests: 2 }, { requests: 4 })
  const [line] = linesOf(chartOf('requests'), history, 4)
  assert.deepEqual([line?.value, line?.least, line?.most], [4, 2, 9])
  assert.equal(linesOf(chartOf('requests'), history, 2)[0]?.value, 9)
})

test('every line of a chart is there, also one that knows nothing', () => {
  const lines = linesOf(chartOf('latency'), historyOf({ p50: 1 }, {}), 2)
  assert.deepEqual(
    lines.map(({ name, value, most }) => [name, value, most]),
    [
      ['p50', null, 1],
      ['p90', null, null],
      ['p99', null, null],
    ],
  )
  assert.deepEqual(lines[0]?.tracks, [
    [
      { at: 1, value: 1 },
      { at: 2, value: null },
    ],
  ])
})

test('each worker has a line in its tone, in the order of their ids', () => {
  const history = historyOf({ 'memory 12': 1, 'memory 7': 2, memory: 3 })
  assert.deepEqual(
    linesOf(chartOf('memory'), history, 1).map(({ name, tone, value }) => [name, tone, value]),
    [
      ['7', 4, 2],
      ['12', 2, 1],
    ],
  )
})

test('workers that ended are one line of several tracks, without a value', () => {
  const history = historyOf({ 'cpu 1': 1, 'cpu 2': 5, 'cpu 7': 2 }, { 'cpu 7': 3 })
  const [, ended] = linesOf(chartOf('cpu'), history, 2)
  assert.equal(ended?.name, '2 ended')
  assert.equal(ended?.tone, 0)
  assert.equal(ended?.tracks.length, 2)
  assert.deepEqual([ended?.value, ended?.least, ended?.most], [null, 1, 5])
})

test('of more than eight workers the highest, the median and the lowest are shown', () => {
  const values = Object.fromEntries(
    Array.from({ length: 10 }, (_, pid) => [`memory ${pid}`, pid * 10] as const),
  )
  const lines = linesOf(chartOf('memory'), historyOf(values), 1)
  assert.deepEqual(
    lines.map(({ name, value }) => [name, value]),
    [
      ['Highest of 10', 90],
      ['Median', 45],
      ['Lowest', 0],
    ],
  )
})

test('without workers there is no line', () => {
  assert.deepEqual(linesOf(chartOf('memory'), historyOf({}), 1), [])
  assert.deepEqual(linesOf(chartOf('memory'), historyOf(), 0), [])
})

test('the time that is looked at is that of the nearest point, the newest as a rule', () => {
  const { points } = historyOf({}, {}, {})
  assert.equal(nearestTime(points, null), 3)
  assert.equal(nearestTime(points, 1.7), 2)
  assert.equal(nearestTime(points, -50), 1)
  assert.equal(nearestTime([], 5), 0)
})

test('the text alternative of a chart has the value of each line', () => {
  const latency = charts.find(({ id }) => id === 'latency')
  assert.ok(latency)
  const lines = [lineOf('p50', 3, [[{ at: 1, value: 0.012 }]], 1), lineOf('p99', 5, [], 1)]
  assert.equal(
    alternativeOf(latency, lines, 5),
    'Latency over the last 5 minutes: p50 12.0 ms, p99 unknown',
  )
  assert.equal(
    alternativeOf(latency, [], 5),
    'Latency over the last 5 minutes: nothing measured yet',
  )
})

/** Dots at these times; null is a time without a value. */
function dotsAt(...times: readonly number[]): { at: number; value: number | null }[] {
  return times.map((at) => ({ at: Math.abs(at), value: at < 0 ? null : 1 }))
}

test('a dot that no line leads to has a mark, or nobody would see it', () => {
  assert.deepEqual(loneDots(dotsAt(1, -2, 3, -4, 5, 6)), [0, 2])
  assert.deepEqual(loneDots([]), [])
})
