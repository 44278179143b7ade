import type { Chart } from './charts.ts'
import { formatValue, trimZeros } from './format-value.ts'
import type { Dot, Line } from './lines.ts'
import { markPath } from './mark.ts'
import { scaleOf } from './scale.ts'

/** The edges of a plot in pixels, and the times and values at them. */
export interface Frame {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly from: number
  readonly to: number
  readonly peak: number
}

/** A line ready for SVG. */
export interface Stroke {
  readonly tone: number
  readonly path: string
  /** The area under the line; empty unless it is the only one. */
  readonly area: string
  /** Marks on the line, about one per minute and one at its end: they distinguish lines without colour. */
  readonly marks: string
}

/** A chart ready for SVG. */
export interface Drawing {
  readonly frame: Frame
  readonly ticks: readonly { readonly y: number; readonly text: string }[]
  readonly times: readonly { readonly x: number; readonly text: string }[]
  readonly strokes: readonly Stroke[]
}

/** Size and time range of a chart. */
export interface Canvas {
  readonly width: number
  readonly height: number
  /** The right end of the chart. */
  readonly now: number
  /** Seconds shown before it. */
  readonly span: number
  /** The line is interrupted between two points further apart than this, in seconds. */
  readonly silence: number
}

export function drawingOf(chart: Chart, lines: readonly Line[], canvas: Canvas): Drawing {
  const most = Math.max(0, ...lines.map((line) => line.most ?? 0))
  const { top: peak, ticks } = scaleOf(most, chart.reach, chart.unit === 'count')
  const { width, height, now, span, silence } = canvas
  const edges = { left: 62, right: Math.max(63, width - 10), top: 10, bottom: height - 24 }
  const frame = { ...edges, from: now - span, to: now, peak }
  return {
    frame,
    ticks: ticks.map((tick) => ({
      y: yOf(frame, tick),
      text: tick === 0 ? '0' : trimZeros(formatValue(tick, chart.unit)),
    })),
    times: timesOf(frame),
    strokes: lines.map(({ tone, tracks }) => ({
      tone,
      path: tracks.map((track) => trackPath(track, frame, silence)).join(''),
      area: lines.length > 1 ? '' : tracks.map((track) => areaPath(track, frame, silence)).join(''),
      marks: tracks.map((track) => marksPath(track, tone, frame)).join(''),
    })),
  }
}

/** Labels of the time axis, one per minute, or fewer if they would overlap. */
export function timesOf(frame: Frame): { x: number; text: string }[] {
  const minutes = Math.floor((frame.to - frame.from) / 60)
  const widestPx = 44
  const step = Math.max(1, Math.ceil((minutes * widestPx) / (frame.right - frame.left)))
  return Array.from({ length: Math.floor(minutes / step) + 1 }, (_, at) => ({
    x: xOf(frame, frame.to - at * step * 60),
    text: at === 0 ? 'now' : '−' + at * step + ' min',
  }))
}

/** The x coordinate of a time, rounded to tenths of a pixel. */
export function xOf({ left, right, from, to }: Frame, at: number): number {
  return Math.round((left + ((right - left) * (at - from)) / (to - from)) * 10) / 10
}

/** The time at an x coordinate. */
export function timeAt({ left, right, from, to }: Frame, x: number): number {
  return from + ((x - left) / (right - left)) * (to - from)
}

/** The y coordinate of a value, rounded to tenths of a pixel. */
export function yOf({ top, bottom, peak }: Frame, value: number): number {
  return Math.round((bottom - ((bottom - top) * value) / peak) * 10) / 10
}

/** The path of a line; an isolated dot is drawn too. */
export function trackPath(track: readonly Dot[], frame: Frame, silence: number): string {
  return runsOf(track, silence)
    .map((run) => {
      const places = run.map(({ at, value }) => xOf(frame, at) + ' ' + yOf(frame, value))
      return 'M' + places.join('L') + (places.length === 1 ? 'h0' : '')
    })
    .join('')
}

/** The path of the area between a line and the axis. */
export function areaPath(track: readonly Dot[], frame: Frame, silence: number): string {
  return runsOf(track, silence)
    .map((run) => {
      const places = run.map(({ at, value }) => 'L' + xOf(frame, at) + ' ' + yOf(frame, value))
      const first = xOf(frame, run[0]?.at ?? frame.from)
      const last = xOf(frame, run.at(-1)?.at ?? frame.to)
      return (
        'M' + first + ' ' + frame.bottom + places.join('') + 'L' + last + ' ' + frame.bottom + 'Z'
      )
    })
    .join('')
}

/** The dots of a track, split at its gaps. */
export function runsOf(track: readonly Dot[], silence: number): { at: number; value: number }[][] {
  const runs: { at: number; value: number }[][] = []
  let run: { at: number; value: number }[] = []
  for (const { at, value } of track) {
    const last = run.at(-1)
    if (value === null) run = []
    else if (last !== undefined && at - last.at <= silence) run.push({ at, value })
    else runs.push((run = [{ at, value }]))
  }
  return runs
}

/** The marks of a line, at the start of minutes, so that they move with it. */
export function marksPath(track: readonly Dot[], tone: number, frame: Frame): string {
  const dots = runsOf(track, Infinity).flat()
  const end = dots.at(-1)
  let path = ''
  let minute = Infinity
  for (const dot of dots) {
    const x = xOf(frame, dot.at)
    const begins = Math.floor(dot.at / 60) > minute
    minute = Math.floor(dot.at / 60)
    const crowded = end !== undefined && xOf(frame, end.at) - x < 14
    if (dot === end || (begins && !crowded)) path += markPath(tone, x, yOf(frame, dot.value), 3.5)
  }
  return path
}
