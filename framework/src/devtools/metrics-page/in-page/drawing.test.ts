import assert from 'node:assert/strict'
import { test } from 'node:test'
import { charts } from './charts.ts'
import { drawingOf, runsOf, timeAt, timesOf, trackPath, xOf, yOf } from './drawing.ts'
import type { Dot } from './lines.ts'
import { lineOf } from './lines.ts'

const frame = { left: 0, right: 300, top: 0, bottom: 100, from: 0, to: 300, peak: 10 }

const dots = (...values: readonly (readonly [at: number, value: number | null])[]): Dot[] =>
  values.map(([at, value]) => ({ at, value }))

test('a place on the axis of time and a time are each other’s answer', () => {
  assert.equal(xOf(frame, 150), 150)
  assert.equal(timeAt(frame, 150), 150)
  assert.equal(yOf(frame, 0), 100)
  assert.equal(yOf(frame, 10), 0)
})

test('a line goes from point to point', () => {
  assert.equal(trackPath(dots([0, 0], [2, 5], [4, 10]), frame, 10), 'M0 100L2 50L4 0')
})

test('a line breaks where nothing is known and after a silence', () => {
  const track = dots([0, 5], [2, null], [4, 5], [6, 5], [60, 5])
  assert.equal(trackPath(track, frame, 10), 'M0 50h0M4 50L6 50M60 50h0')
  assert.equal(runsOf(track, 10).length, 3)
  assert.equal(runsOf(dots([0, null]), 10).length, 0)
})

test('marks of time do not touch on a narrow chart', () => {
  const marks = (right: number): string[] =>
    timesOf({ ...frame, left: 62, right, from: 0, to: 300 }).map(({ text }) => text)
  assert.deepEqual(marks(282), ['now', '−1 min', '−2 min', '−3 min', '−4 min', '−5 min'])
  assert.deepEqual(marks(281), ['now', '−2 min', '−4 min'])
  assert.deepEqual(marks(62 + 80), ['now', '−3 min'])
})

test('a chart has ticks with units, a mark for each minute and a stroke for each line', () => {
  const [requests] = charts
  assert.ok(requests)
  const line = lineOf('Requests', 1, [dots([700, 40], [1_000, 60])], 1_000)
  const canvas = { width: 400, height: 178, now: 1_000, span: 300, silence: 500 }
  const drawing = drawingOf(requests, [line], canvas)
  assert.deepEqual(
    drawing.ticks.map(({ text }) => text),
    ['0', '20/s', '40/s', '60/s'],
  )
  assert.deepEqual(
    drawing.times.map(({ text }) => text),
    ['now', '−1 min', '−2 min', '−3 min', '−4 min', '−5 min'],
  )
  assert.equal(drawing.times[0]?.x, 390)
  assert.equal(drawing.times[5]?.x, 62)
  const [stroke] = drawing.strokes
  assert.equal(stroke?.path, 'M62 58L390 10')
  assert.equal(stroke?.area, 'M62 154L62 58L390 10L390 154Z')
})

test('only a line that is alone has its area filled', () => {
  const [requests] = charts
  assert.ok(requests)
  const line = lineOf('x', 1, [dots([1, 1])], 1)
  const canvas = { width: 400, height: 178, now: 1, span: 300, silence: 10 }
  const { strokes } = drawingOf(requests, [line, line], canvas)
  assert.deepEqual(
    strokes.map(({ area }) => area),
    ['', ''],
  )
})

test('marks stand where minutes begin and at the end of a line, and differ by tone', () => {
  const [requests] = charts
  assert.ok(requests)
  const track = Array.from({ length: 100 }, (_, at) => ({ at: 600 + 2 * at, value: 1 }))
  const marksOf = (tone: number): string => {
    const canvas = { width: 400, height: 178, now: 798, span: 300, silence: 10 }
    const { strokes } = drawingOf(requests, [lineOf('x', tone, [track], 798)], canvas)
    return strokes[0]?.marks ?? ''
  }
  // 660, 720, 780 and the end at 798.
  assert.equal(marksOf(1).match(/M/g)?.length, 4)
  const shapes = new Set(Array.from({ length: 9 }, (_, tone) => marksOf(tone)))
  assert.equal(shapes.size, 9)
})

test('a plot of no width draws nothing wild', () => {
  const [requests] = charts
  assert.ok(requests)
  const canvas = { width: 0, height: 0, now: 0, span: 300, silence: 10 }
  const drawing = drawingOf(requests, [lineOf('x', 1, [dots([0, 1])], 0)], canvas)
  assert.doesNotMatch(JSON.stringify(drawing), /null/)
})
