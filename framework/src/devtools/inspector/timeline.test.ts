import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ActivityRecord, RecordedPhase, RecordedStep } from './activity-record.ts'
import { noStep, share, tickText, timelineOf } from './timeline.ts'

const record: ActivityRecord = {
  key: 'k',
  kind: 'request',
  id: 'r',
  title: 'GET /orders',
  subject: 'GET /orders',
  account: null,
  span: null,
  status: '200',
  failed: false,
  pid: 1,
  at: 1_700_000_000,
  durationMs: 100,
  statements: 0,
  statementMs: 0,
  repeats: [],
  texts: [],
  phases: [
    { kind: 'middlewares', name: '2 before the handler', startMs: 0, durationMs: 10 },
    { kind: 'handler', name: '/orders', startMs: 10, durationMs: 80 },
  ],
  steps: [],
  lines: [],
  incidents: [],
  tables: [],
  dropped: { steps: 0, lines: 0, incidents: 0 },
}

function step(kind: string, startMs: number, durationMs: number, line = 1): RecordedStep {
  const caller = { file: '/shop/orders.ts', line, column: 1, call: '' }
  return { kind, name: 'x', startMs, durationMs, count: 1, failure: null, caller, text: -1 }
}

/** The rows of some steps in `record`, without gaps: depth, kind, how many, and milliseconds. */
function shown(
  steps: readonly RecordedStep[],
  phases: readonly RecordedPhase[] = record.phases,
): readonly (readonly [number, string, number, number])[] {
  const { rows } = timelineOf({ ...record, phases, steps })
  return rows
    .filter(({ kind }) => kind !== noStep)
    .map((row) => [row.depth, row.kind, row.steps.length, row.durationMs])
}

test('steps are inside the phases and spans during which they ran', () => {
  const steps = [
    step('sql', 2, 1),
    step('span', 12, 35),
    step('sql', 13, 4),
    step('span', 20, 20),
    step('redis', 21, 18),
    step('sql', 51, 39),
    step('sql', 91, 3),
  ]
  assert.deepEqual(shown(steps), [
    [0, 'middlewares', 1, 10],
    [1, 'sql', 1, 1],
    [0, 'handler', 1, 80],
    [1, 'span', 1, 35],
    [2, 'sql', 1, 4],
    [2, 'span', 1, 20],
    [3, 'redis', 1, 18],
    [1, 'sql', 1, 39],
    [0, 'sql', 1, 3],
  ])
})

test('a step that outlives a span is not inside it, whatever else runs meanwhile', () => {
  const steps = [step('span', 12, 20), step('sql', 15, 70), step('sql', 16, 70, 2)]
  assert.deepEqual(shown(steps), [
    [0, 'middlewares', 1, 10],
    [0, 'handler', 1, 80],
    [1, 'span', 1, 20],
    [1, 'sql', 1, 70],
    [1, 'sql', 1, 70],
  ])
})

test('equal steps of the same line are one row with their sums, also those in equal spans', () => {
  const loop = [10, 36, 62].flatMap((at) => [step('span', at, 26), step('sql', at + 1, 24)])
  const row = timelineOf({ ...record, steps: loop }).rows.find(({ kind }) => kind === 'sql')
  assert.deepEqual(shown(loop).slice(2), [
    [1, 'span', 3, 78],
    [2, 'sql', 3, 72],
  ])
  assert.equal(row?.count, 3)
  const other = [step('sql', 10, 40), step('sql', 50, 40, 2)]
  assert.equal(shown(other).length, 4)
})

test('time in which no step ran is a row after the line before it, not beyond the response', () => {
  const steps = [
    step('sql', 10, 5, 7),
    step('sql', 14, 3),
    step('sql', 60, 30),
    step('sql', 400, 1),
  ]
  const { gaps, totalMs } = timelineOf({ ...record, durationMs: 450, steps, phases: record.phases })
  assert.equal(totalMs, 450)
  assert.deepEqual(
    gaps.map(({ name, startMs, durationMs, caller }) => [name, startMs, durationMs, caller?.line]),
    [
      ['', 90, 310, undefined],
      ['', 401, 49, 1],
    ],
  )
  const short = timelineOf({ ...record, steps })
  assert.deepEqual(
    short.gaps.map(({ name, startMs, durationMs }) => [name, startMs, durationMs]),
    [['handler', 17, 43]],
  )
})

test('an activity without any step has no row', () => {
  assert.deepEqual(timelineOf({ ...record, phases: [] }).rows, [])
})

test('the axis has up to six round moments', () => {
  const ticks = (durationMs: number): readonly string[] =>
    timelineOf({ ...record, durationMs, phases: [] }).ticks.map(tickText)
  assert.deepEqual(ticks(100), ['0', '20 ms', '40 ms', '60 ms', '80 ms', '100 ms'])
  assert.deepEqual(ticks(2_280), ['0', '500 ms', '1 s', '1.5 s', '2 s'])
  assert.deepEqual(ticks(0.9), ['0', '0.2 ms', '0.4 ms', '0.6 ms', '0.8 ms'])
  assert.equal(share(25, 200), '12.50%')
})
