/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { byId, clock, fillRows, setText } from '../../../in-page/dom/elements.ts'
import { LiveEvents } from '../../../in-page/dom/live-events.ts'
import { nextDelay } from '../../../in-page/next-delay.ts'
import { charts } from '../charts.ts'
import { formatDuration } from '../format-value.ts'
import { emptyHistory, remember } from '../history.ts'
import { nearestTime } from '../lines.ts'
import { readSample } from '../sample.ts'
import type { Sample } from '../sample.ts'
import { countText, factsOf, routeRows, seriesRows, statementRows } from '../tables.ts'
import type { RankedRow } from '../tables.ts'
import { ChartCard } from './chart-card.ts'
import type { View } from './chart-card.ts'
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
const cards = charts.map((chart) => new ChartCard(chart, memory, pointAt))
let story = emptyHistory()
/** The time under the pointer; null if there is none. */
let cursor: number | null = null
let written = true
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
  const seconds = nextDelay(failures, refresh, 30)
  timer = setTimeout(look, seconds * 1000)
  if (problem === '') setState('live', 'Live')
  else setState('failing', `${problem}. Next attempt in ${formatDuration(Math.ceil(seconds))}.`)
}

function setState(state: string, text: string): void {
  const isOther = dataset['state'] !== state
  dataset['state'] = state
  if (isOther) repaint()
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
  written = true
  for (const card of cards) card.draw(view())
}

function view(): View {
  return { story, at: nearestTime(story.points, cursor), pointed: cursor !== null }
}

function repaint(): void {
  for (const card of cards) card.repaint()
}

function fillTable(): void {
  if (story.sample === null) return
  const found = seriesRows(story.sample, search.value, 500)
  fillRows(byId('series', HTMLTableSectionElement), found.rows, 'series-row')
  setText(byId('found', HTMLElement), countText(found))
}

function pointAt(index: number | null): void {
  const time = index === null ? null : (story.points[index]?.at ?? null)
  if (time === cursor) return
  cursor = time
  if (written) requestAnimationFrame(write)
  written = false
}

/** Shows the numbers under the pointer. */
function write(): void {
  if (written) return
  written = true
  for (const card of cards) card.write(view())
}

search.addEventListener('input', fillTable)
pause.addEventListener('click', () => {
  paused = !paused
  setText(pause, paused ? 'Resume' : 'Pause')
  if (paused) setState('paused', 'Paused')
  look()
})
document.addEventListener('visibilitychange', look)
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint)
window.addEventListener('online', look)
byId('scriptless', HTMLElement).hidden = true
for (const element of document.querySelectorAll<HTMLElement>('.live')) element.hidden = false
look()
