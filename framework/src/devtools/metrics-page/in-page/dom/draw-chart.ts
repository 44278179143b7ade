/// <reference lib="dom" />
import { byId, setText, within } from '../../../in-page/dom/elements.ts'
import { alternativeOf } from '../alternative.ts'
import type { Chart, Unit } from '../charts.ts'
import { drawingOf, xOf } from '../drawing.ts'
import type { Drawing, Frame } from '../drawing.ts'
import { formatValue, writeValue } from '../format-value.ts'
import type { History, Memory } from '../history.ts'
import { linesOf } from '../lines.ts'
import type { Line } from '../lines.ts'
import { markPath } from '../mark.ts'
import { clock, fillRows, shape } from './elements.ts'

/** The data of a chart. */
export interface View {
  readonly story: History
  readonly memory: Memory
  /** The time whose values are shown. */
  readonly at: number
  /** Whether the pointer is at that time; otherwise it is the newest. */
  readonly pointed: boolean
}

/** The width and height of a plot in pixels. */
export type Size = readonly [width: number, height: number]

/**
 * Updates the numbers and the plot of a chart, by text and attributes only, never as markup. Returns
 * the frame of the plot.
 */
export function drawChart(chart: Chart, [width, height]: Size, view: View): Frame {
  const { story, memory, at, pointed } = view
  const { span, silence } = memory
  const card = byId(chart.id, HTMLElement)
  const svg = within(card, '.plot', SVGSVGElement)
  const now = story.points.at(-1)?.at ?? 0
  const lines = linesOf(chart, story, at)
  const drawing = drawingOf(chart, lines, { width, height, now, span, silence })
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`)
  svg.setAttribute('aria-label', alternativeOf(chart, lines, span / 60))
  const crosshair = pointed ? [crosshairOf(drawing, at)] : []
  svg.replaceChildren(...gridOf(drawing), ...strokesOf(drawing), ...crosshair)
  within(card, '.none', HTMLElement).hidden = lines.some(({ most }) => most !== null)
  writeHeadline(chart, card, view)
  fillLegend(within(card, 'tbody', HTMLTableSectionElement), lines, chart.unit)
  return drawing.frame
}

function writeHeadline({ headline }: Chart, card: Element, { story, at, pointed }: View): void {
  const point = story.points.find((one) => one.at === at)
  const { number, unit } = writeValue(point?.values.get(headline.key) ?? null, headline.unit)
  setText(within(card, '.number', HTMLElement), number)
  setText(within(card, '.unit', HTMLElement), unit)
  setText(within(card, '.when', HTMLElement), pointed ? clock(at) : 'Now')
}

function gridOf({ frame, ticks, times }: Drawing): SVGElement[] {
  const { left, right, bottom } = frame
  return [
    ...ticks.flatMap(({ y, text }) => [
      shape('line', { class: 'grid', x1: left, x2: right, y1: y, y2: y }),
      shape('text', { class: 'tick', x: left - 8, y: y + 4, 'text-anchor': 'end' }, text),
    ]),
    ...times.map(({ x, text }) => {
      const anchor = text === 'now' ? 'end' : 'middle'
      return shape('text', { class: 'tick', x, y: bottom + 18, 'text-anchor': anchor }, text)
    }),
  ]
}

function strokesOf({ strokes }: Drawing): SVGElement[] {
  return strokes.flatMap(({ tone, area, path, marks }) => [
    shape('path', { class: `area tone-${tone}`, d: area }),
    shape('path', { class: `line tone-${tone}`, d: path }),
    shape('path', { class: `mark tone-${tone}`, d: marks }),
  ])
}

function crosshairOf({ frame }: Drawing, at: number): SVGElement {
  const x = xOf(frame, at)
  return shape('line', { class: 'crosshair', x1: x, x2: x, y1: frame.top, y2: frame.bottom })
}

function fillLegend(body: HTMLTableSectionElement, lines: readonly Line[], unit: Unit): void {
  const texts = lines.map(({ name, value, least, most }) => [
    name,
    ...[value, least, most].map((number) => formatValue(number, unit)),
  ])
  fillRows(body, texts, 'legend-row')
  for (const [at, { tone }] of lines.entries()) {
    const row = body.rows[at]
    if (row === undefined) continue
    row.className = `tone-${tone}`
    within(row, '.mark', SVGElement).setAttribute('d', markPath(tone, 12, 7, 4))
  }
}
