/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { byId, setText, within } from '../../../in-page/dom/elements.ts'
import { LiveEvents } from '../../../in-page/dom/live-events.ts'
import { charts } from '../charts.ts'
import { nextDelay } from '../delay.ts'
import { timeAt } from '../drawing.ts'
import type { Frame } from '../drawing.ts'
import { factsOf } from '../facts.ts'
import { formatDuration } from '../format-value.ts'
import { emptyHistory, remember } from '../history.ts'
import { nearestTime } from '../lines.ts'
import type { RankedRow } from '../ranking.ts'
import { routeRows } from '../route-rows.ts'
import { readSample } from '../sample.ts'
import type { Sample } from '../sample.ts'
import { countText, seriesRows } from '../series-rows.ts'
import { statementRows } from '../statement-rows.ts'
import { drawChart } from './draw-chart.ts'
import type { Size } from './draw-chart.ts'
import { clock, fillRows } from './elements.ts'
import { RankedTable } from './ranked-table.ts'

// The entry point of the page: draws the metrics, which the server sends as events. While it cannot, the
// page polls those of its own URL.

const { dataset } = document.body
const refresh = Number(dataset['refresh'])
const average = Number(dataset['average'])
const memory = { span: 300, average, silence: Math.max(average, 3 * refresh) }
const address = sourceOf(dataset['source'] ?? '')
const statementsAddress = sourceOf(dataset['statements'] ?? '')
const eventsAddress = dataset['events'] === '' ? null : sourceOf(dataset['events'] ?? '')
const events = new LiveEvents({
  silence: Math.max(10, 5 * refresh),
  handlers: {
    metrics: (data) => {
      const sample = readSample(data)
      if (sample === null) return
      failures = 0
      setState('live', 'Live')
      show(sample)
    },
    statements: (data) => statements.show(statementRows(data) ?? []),
  },
  lost: look,
})
const routes = new RankedTable('routes', { column: 1, descending: true })
const statements = new RankedTable('statements', { column: 3, descending: true })
const search = byId('search', HTMLInputElement)
const pause = byId('pause', HTMLButtonElement)
const sizes = new Map<Element, Size>()
const frames = new Map<Element, Frame>()
let story = emptyHistory()
/** The time under the pointer; null if there is none. */
let cursor: number | null = null
let drawn = true
let failures = 0
let busy = false
let paused = false
let timer: ReturnType<typeof setTimeout> | undefined

// The page may be opened with credentials in its URL, but `fetch` rejects such URLs.
function sourceOf(source: string): URL {
  const url = new URL(source, location.href)
  url.username = url.password = url.hash = ''
  return url
}

/** Follows the metrics, unless nobody is looking. */
function look(): void {
  clearTimeout(timer)
  if (paused || document.hidden) return events.close()
  if (!events.open(eventsAddress)) void poll()
}

/** Loads the metrics and schedules the next look. At most one request runs at a time. */
async function poll(): Promise<void> {
  if (busy) return
  busy = true
  const result = await load()
  const failed = typeof result === 'string'
  const slowest = failed ? null : await loadStatements()
  busy = false
  failures = failed ? failures + 1 : 0
  scheduleNext(failed ? result : '')
  if (!failed) show(result)
  if (slowest !== null) statements.show(slowest)
}

/** The metrics, or the reason why they could not be loaded. */
async function load(): Promise<Sample | string> {
  const response = await ask(address)
  if (response === null) return 'The server does not respond'
  if (!response.ok) return `The server responded with status ${response.status}`
  return readSample(await response.json().catch(() => null)) ?? 'The response has no metrics'
}

/** The rows of the slowest statements; null if they could not be loaded: then the last ones stay. */
async function loadStatements(): Promise<RankedRow[] | null> {
  const response = await ask(statementsAddress)
  if (response === null || !response.ok) return null
  return statementRows(await response.json().catch(() => null))
}

function ask(url: URL): Promise<Response | null> {
  const headers = { accept: 'application/json' }
  const signal = AbortSignal.timeout(10_000)
  return fetch(url, { headers, signal, cache: 'no-store' }).catch(() => null)
}

function scheduleNext(problem: string): void {
  if (paused) return
  const seconds = nextDelay(failures, refresh)
  timer = setTimeout(look, seconds * 1000)
  if (problem === '') setState('live', 'Live')
  else setState('failing', `${problem}. Next attempt in ${formatDuration(Math.ceil(seconds))}.`)
}

function setState(state: string, text: string): void {
  dataset['state'] = state
  setText(byId('state', HTMLElement), text)
}

function show(sample: Sample): void {
  story = remember(story, sample, memory)
  for (const [name, text] of Object.entries(factsOf(sample))) {
    setText(byId(`fact-${name}`, HTMLElement), text)
  }
  setText(byId('updated', HTMLElement), `updated ${clock(sample.at)}`)
  draw()
  routes.show(routeRows(sample, story.steps, story.weights))
  fillTable()
}

function draw(): void {
  drawn = true
  const at = nearestTime(story.points, cursor)
  const view = { story, memory, at, pointed: cursor !== null }
  for (const chart of charts) {
    const svg = within(byId(chart.id, HTMLElement), '.plot', SVGElement)
    const size = sizes.get(svg)
    if (size !== undefined && size[0] > 0) frames.set(svg, drawChart(chart, size, view))
  }
}

function drawSoon(): void {
  if (drawn) requestAnimationFrame(draw)
  drawn = false
}

function fillTable(): void {
  if (story.sample === null) return
  const found = seriesRows(story.sample, search.value, 500)
  fillRows(byId('series', HTMLTableSectionElement), found.rows, 'series-row')
  setText(byId('found', HTMLElement), countText(found))
}

function pointAt(time: number | null): void {
  cursor = time
  drawSoon()
}

const resized = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    sizes.set(target, [contentRect.width, contentRect.height])
  }
  drawSoon()
})
for (const svg of document.querySelectorAll<SVGElement>('.plot')) {
  resized.observe(svg)
  svg.addEventListener('pointermove', ({ clientX }) => {
    const frame = frames.get(svg)
    if (frame !== undefined) pointAt(timeAt(frame, clientX - svg.getBoundingClientRect().left))
  })
  svg.addEventListener('pointerleave', () => pointAt(null))
  svg.addEventListener('pointercancel', () => pointAt(null))
}
search.addEventListener('input', fillTable)
pause.addEventListener('click', () => {
  paused = !paused
  setText(pause, paused ? 'Resume' : 'Pause')
  if (paused) setState('paused', 'Paused')
  look()
})
document.addEventListener('visibilitychange', look)
window.addEventListener('online', look)
byId('scriptless', HTMLElement).hidden = true
for (const element of document.querySelectorAll<HTMLElement>('.live')) element.hidden = false
look()
