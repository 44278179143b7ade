/// <reference lib="dom" />
import uPlot from 'uplot'
import { byId, clock, fillRows, setText, within } from '../../../in-page/dom/elements.ts'
import { dashes } from '../charts.ts'
import type { Chart, Unit } from '../charts.ts'
import { formatValue, trimZeros, writeValue } from '../format-value.ts'
import type { History } from '../history.ts'
import { alternativeOf, linesOf, loneDots } from '../lines.ts'
import type { Dot, Line } from '../lines.ts'

/** The data of a chart. */
export interface View {
  readonly story: History
  /** The time whose values are shown. */
  readonly at: number
  /** Whether the pointer is at that time; otherwise it is the newest. */
  readonly pointed: boolean
}

/** A part of a line that is drawn as one series. */
interface Track {
  readonly tone: number
  readonly dots: readonly Dot[]
}

/** A chart with its number and its table. Everything is set as text, never as markup. */
export class ChartCard {
  readonly #chart: Chart
  readonly #span: number
  readonly #pointAt: (index: number | null) => void
  readonly #card: HTMLElement
  readonly #stage: HTMLElement
  #tracks: readonly Track[] = []
  #plot: uPlot | null = null

  /** `pointAt` is called with the index of the point under the pointer, null if there is none. */
  constructor(chart: Chart, span: number, pointAt: (index: number | null) => void) {
    this.#chart = chart
    this.#span = span
    this.#pointAt = pointAt
    this.#card = byId(chart.id, HTMLElement)
    this.#stage = within(this.#card, '.plot', HTMLElement)
    new ResizeObserver(() => this.#resize()).observe(this.#stage)
  }

  /** Shows the numbers of a time: above the chart, in its table, and as its text alternative. */
  write(view: View): readonly Line[] {
    const lines = linesOf(this.#chart, view.story, view.at)
    this.#stage.ariaLabel = alternativeOf(this.#chart, lines, this.#span / 60)
    within(this.#card, '.none', HTMLElement).hidden = lines.some(({ most }) => most !== null)
    this.#writeHeadline(view)
    fillLegend(within(this.#card, 'tbody', HTMLTableSectionElement), lines, this.#chart.unit)
    return lines
  }

  /** Shows new data. */
  draw(view: View): void {
    const tracks = this.write(view).flatMap(({ tone, tracks }) =>
      tracks.map((dots) => ({ tone, dots })),
    )
    const isSame =
      tracks.map(({ tone }) => tone).join() === this.#tracks.map(({ tone }) => tone).join()
    this.#tracks = tracks
    if (!isSame) {
      this.#plot?.destroy()
      this.#plot = null
    }
    const { points } = view.story
    const now = points.at(-1)?.at ?? 0
    const data: uPlot.AlignedData = [
      points.map(({ at }) => at - now),
      ...tracks.map(({ dots }) => dots.map(({ value }) => value)),
      points.map(({ values }) => this.#limitAt(values)),
    ]
    if (this.#plot === null) this.#plot = this.#create(data)
    else this.#plot.setData(data)
  }

  /** Draws the same again, in the colours of now. */
  repaint(): void {
    this.#plot?.redraw(false, true)
  }

  #limitAt(values: ReadonlyMap<string, number>): number | null {
    const { limit } = this.#chart
    if (limit === undefined) return null
    return limit.value * (limit.of === undefined ? 1 : (values.get(limit.of) ?? 0))
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#stage
    if (width > 0) this.#plot?.setSize({ width, height })
  }

  #writeHeadline({ story, at, pointed }: View): void {
    const { key, unit: kind } = this.#chart.headline
    const point = story.points.find((one) => one.at === at)
    const { number, unit } = writeValue(point?.values.get(key) ?? null, kind)
    setText(within(this.#card, '.number', HTMLElement), number)
    setText(within(this.#card, '.unit', HTMLElement), unit)
    setText(within(this.#card, '.when', HTMLElement), pointed ? clock(at) : 'Now')
  }

  #create(data: uPlot.AlignedData): uPlot {
    const { clientWidth: width, clientHeight: height } = this.#stage
    const plot = new uPlot(
      {
        width,
        height,
        padding: [10, 14, 0, 0],
        legend: { show: false },
        cursor: {
          y: false,
          points: { show: false },
          drag: { x: false, y: false },
          // A pointer over one chart selects the time in all of them.
          sync: { key: 'metrics' },
        },
        scales: {
          x: { time: false, range: [-this.#span, 0] },
          y: { range: (_plot, _min, max) => this.#rangeTo(max) },
        },
        axes: [timeAxis, this.#valueAxis()],
        series: [{}, ...this.#tracks.map((track, at) => this.#series(track, at)), limitSeries],
        hooks: {
          setCursor: [({ cursor }) => this.#pointAt(cursor.idx ?? null)],
        },
      },
      data,
      this.#stage,
    )
    followTouch(plot)
    return plot
  }

  #rangeTo(max: number | null): [min: number, max: number] {
    const [, top] = uPlot.rangeNum(0, Math.max(max ?? 0, this.#chart.reach), 0.1, true)
    return [0, top ?? this.#chart.reach]
  }

  #valueAxis(): uPlot.Axis {
    const { unit } = this.#chart
    return {
      ...axis,
      size: (_plot, texts) =>
        Math.max(3.875, ...(texts ?? []).map((text) => 0.46 * text.length)) * rem,
      space: 36,
      grid: { stroke: () => colour('line'), width: 1 },
      ...(unit === 'count' && { incrs: wholeSteps }),
      values: (_plot, ticks) =>
        ticks.map((tick) => (tick === 0 ? '0' : trimZeros(formatValue(tick, unit)))),
    }
  }

  #series({ tone }: Track, at: number): uPlot.Series {
    const isAlone = this.#tracks.length === 1
    const stroke = (): string => toneColour(tone)
    return {
      stroke,
      width: tone === 0 ? 1.5 : 2,
      // The area under a line, unless there are several.
      ...(isAlone && { fill: () => `${colour(`tone-${tone}`)}21` }),
      ...(!isAlone && { dash: [...(dashes[tone] ?? [])] }),
      points: {
        show: false,
        filter: () => loneDots(this.#tracks[at]?.dots ?? []),
        size: 6,
        fill: stroke,
      },
    }
  }
}

/** In pixels: texts and their places grow with what the reader chose in the browser. */
const rem = parseFloat(getComputedStyle(document.documentElement).fontSize)

const axis: uPlot.Axis = {
  stroke: () => colour('soft'),
  font: `${0.72 * rem}px ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`,
  ticks: { show: false },
  gap: 8,
}

/** Minutes before now. */
const timeAxis: uPlot.Axis = {
  ...axis,
  size: 1.5 * rem,
  gap: 6,
  grid: { show: false },
  space: 44,
  incrs: [60, 120, 180, 300, 600, 900, 1_800],
  values: (_plot, times) =>
    times.map((time) => (time === 0 ? 'now' : `−${Math.round(-time / 60)} min`)),
}

/** From where on it is too much: it is not drawn where nothing comes near it. */
const limitSeries: uPlot.Series = {
  auto: false,
  stroke: () => colour('soft'),
  width: 1,
  dash: [1, 4],
  points: { show: false },
}

const wholeSteps = [1, 2, 5]
  .flatMap((step) => Array.from({ length: 12 }, (_, power) => step * 10 ** power))
  .toSorted((one, other) => one - other)

/** A colour of the page, which is another one in the dark. */
function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
}

/** The colour of a tone; paler while the server does not respond. */
function toneColour(tone: number): string {
  return colour(`tone-${tone}`) + (document.body.dataset['state'] === 'failing' ? '8c' : '')
}

/** uPlot follows only the mouse. */
function followTouch({ over }: uPlot): void {
  const follow = (from: string, to: string): void =>
    over.addEventListener(from, (event) => {
      if (!(event instanceof PointerEvent) || event.pointerType === 'mouse') return
      const { clientX, clientY } = event
      over.dispatchEvent(new MouseEvent(to, { clientX, clientY }))
    })
  follow('pointermove', 'mousemove')
  follow('pointerleave', 'mouseleave')
  follow('pointercancel', 'mouseleave')
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
    const dash = lines.length > 1 ? (dashes[tone] ?? []) : []
    within(row, '.line', SVGElement).setAttribute('stroke-dasharray', dash.join(' '))
  }
}
