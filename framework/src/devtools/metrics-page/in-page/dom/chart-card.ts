/// <reference lib="dom" />
import uPlot from 'uplot'
import { byId, clock, fillRows, setText, within } from '../../../in-page/dom/elements.ts'
import type { Chart, Unit } from '../charts.ts'
import { formatValue, trimZeros, writeValue } from '../format-value.ts'
import type { History, Memory } from '../history.ts'
import { alternativeOf, linesOf, markedDots } from '../lines.ts'
import type { Dot, Line } from '../lines.ts'
import { markPath } from '../mark.ts'

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

/** Pixels between the marks at the end of a line and before it. */
const markGap = 14

/** A chart with its number and its table. Everything is set as text, never as markup. */
export class ChartCard {
  readonly #chart: Chart
  readonly #memory: Memory
  readonly #pointAt: (index: number | null) => void
  readonly #card: HTMLElement
  readonly #stage: HTMLElement
  #tracks: readonly Track[] = []
  #plot: uPlot | null = null

  /** `pointAt` is called with the index of the point under the pointer, null if there is none. */
  constructor(chart: Chart, memory: Memory, pointAt: (index: number | null) => void) {
    this.#chart = chart
    this.#memory = memory
    this.#pointAt = pointAt
    this.#card = byId(chart.id, HTMLElement)
    this.#stage = within(this.#card, '.plot', HTMLElement)
    new ResizeObserver(() => this.#resize()).observe(this.#stage)
  }

  /** Shows the numbers of a time: above the chart, in its table, and as its text alternative. */
  write(view: View): readonly Line[] {
    const lines = linesOf(this.#chart, view.story, view.at)
    this.#stage.ariaLabel = alternativeOf(this.#chart, lines, this.#memory.span / 60)
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
    ]
    if (this.#plot === null) this.#plot = this.#create(data)
    else this.#plot.setData(data)
  }

  /** Draws the same again, in the colours of now. */
  repaint(): void {
    this.#plot?.redraw(false, true)
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
          x: { time: false, range: [-this.#memory.span, 0] },
          y: { range: (_plot, _min, max) => this.#rangeTo(max) },
        },
        axes: [timeAxis, this.#valueAxis()],
        series: [{}, ...this.#tracks.map(({ tone }) => this.#series(tone))],
        hooks: {
          drawSeries: [(drawn, series) => this.#drawMarks(drawn, series)],
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
      size: 62,
      space: 36,
      grid: { stroke: () => colour('grid'), width: 1 },
      ...(unit === 'count' && { incrs: wholeSteps }),
      values: (_plot, ticks) =>
        ticks.map((tick) => (tick === 0 ? '0' : trimZeros(formatValue(tick, unit)))),
    }
  }

  #series(tone: number): uPlot.Series {
    return {
      stroke: () => toneColour(tone),
      ...(tone === 0 ? { width: 1.5, dash: [2, 4] } : { width: 2 }),
      // The area under a line, unless there are several.
      ...(this.#tracks.length === 1 && { fill: () => `${colour(`tone-${tone}`)}21` }),
      points: { show: false },
      gaps: (plot, _series, _from, _to, nullGaps) =>
        [...nullGaps, ...this.#silences(plot)].sort(([one], [other]) => one - other),
    }
  }

  /** Where the page heard nothing for too long, in pixels of the canvas. */
  #silences(plot: uPlot): uPlot.Series.Gaps {
    const [times] = plot.data
    const x = (time: number): number => Math.round(plot.valToPos(time, 'x', true))
    const gaps: uPlot.Series.Gaps = []
    for (const [at, time] of times.entries()) {
      const before = times[at - 1] ?? time
      if (time - before > this.#memory.silence) gaps.push([x(before), x(time)])
    }
    return gaps
  }

  /** Marks tell lines apart without colour. */
  #drawMarks(plot: uPlot, series: number): void {
    const track = this.#tracks[series - 1]
    if (track === undefined) return
    const { ctx, bbox, data } = plot
    const gap = (markGap * devicePixelRatio * this.#memory.span) / bbox.width
    ctx.save()
    ctx.fillStyle = toneColour(track.tone)
    ctx.strokeStyle = colour('card')
    ctx.lineWidth = 2 * devicePixelRatio
    for (const at of markedDots(track.dots, this.#memory.silence, gap)) {
      const x = plot.valToPos(data[0][at] ?? 0, 'x', true)
      const y = plot.valToPos(data[series]?.[at] ?? 0, 'y', true)
      const shape = new Path2D(markPath(track.tone, x, y, 3.5 * devicePixelRatio))
      ctx.stroke(shape)
      ctx.fill(shape)
    }
    ctx.restore()
  }
}

const axis: uPlot.Axis = {
  stroke: () => colour('soft'),
  font: '11.5px ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  ticks: { show: false },
  gap: 8,
}

/** Minutes before now. */
const timeAxis: uPlot.Axis = {
  ...axis,
  size: 24,
  gap: 6,
  grid: { show: false },
  space: 44,
  incrs: [60, 120, 180, 300],
  values: (_plot, times) =>
    times.map((time) => (time === 0 ? 'now' : `−${Math.round(-time / 60)} min`)),
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
    within(row, '.mark', SVGElement).setAttribute('d', markPath(tone, 12, 7, 4))
  }
}
