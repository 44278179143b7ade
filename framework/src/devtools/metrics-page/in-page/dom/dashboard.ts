/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { byId, clock, fillRows, setText } from '../../../in-page/dom/elements.ts'
import { LivePage } from '../../../in-page/dom/live-page.ts'
import { charts } from '../charts.ts'
import { emptyHistory, ratesOver, remember } from '../history.ts'
import { nearestTime } from '../lines.ts'
import { readPast } from '../past.ts'
import { readSample } from '../sample.ts'
import type { Sample } from '../sample.ts'
import { countText, factsOf, routeRows, seriesRows, statementRows } from '../tables.ts'
import { verdictOf } from '../verdict.ts'
import { ChartCard } from './chart-card.ts'
import type { View } from './chart-card.ts'
import { RankedTable } from './ranked-table.ts'

// The entry point of the page: draws the metrics, which the server sends as events. While it cannot, the
// page polls those of its own URL.

const { dataset } = document.body
const refresh = Number(dataset['refresh'])
const span = Number(dataset['span'])
const links = (dataset['links'] ?? '').split(' ').filter(Boolean)
const polled = { past: null, metrics: siteUrl(''), statements: siteUrl('metrics/statements') }
const events = dataset['events'] === '' ? null : siteUrl(dataset['events'] ?? '')
const routes = new RankedTable('routes', { column: 1, descending: true })
const statements = new RankedTable('statements', { column: 3, descending: true })
const search = byId('search', HTMLInputElement)
const cards = charts.map((chart) => new ChartCard(chart, span, pointAt))
let story = emptyHistory
let verdict = ''
/** The time under the pointer; null if there is none. */
let cursor: number | null = null
let written = true

// The page may be opened with credentials in its URL, but `fetch` rejects such URLs.
function siteUrl(path: string): URL {
  const url = new URL(path, location.href)
  url.username = url.password = url.hash = ''
  return url
}

function show(name: string, data: unknown): string {
  if (name === 'past') {
    story = { ...story, past: { steps: readPast(data), sample: null } }
    return ''
  }
  if (name === 'statements') {
    const rows = statementRows(data)
    if (rows === null) return 'The response has no statements'
    statements.show(rows)
    return ''
  }
  const sample = readSample(data)
  if (sample === null) return 'The response has no metrics'
  showSample(sample)
  return ''
}

function showSample(sample: Sample): void {
  story = remember(story, sample, span)
  for (const [name, text] of Object.entries(factsOf(sample))) {
    setText(byId(`fact-${name}`, HTMLElement), text)
  }
  setText(byId('updated', HTMLElement), `updated ${clock(sample.at)}`)
  draw()
  routes.show(routeRows(sample, ratesOver(story.past, span)))
  fillTable()
  // Of the last step the verdict knows enough when it is over.
  if (sample.at % 10 < refresh || verdict === '') fillVerdict()
}

/** Says what is wrong; until the first step the page has what the server said. */
function fillVerdict(): void {
  const { steps } = story.past
  if (steps.length === 0) return
  const lines = verdictOf(steps, links, (at) => clock(at).slice(0, 5))
  // The same again would take the focus away from a link.
  if (JSON.stringify(lines) === verdict) return
  verdict = JSON.stringify(lines)
  const items = lines.map(({ text, tone, href }) => {
    const item = document.createElement('li')
    item.className = tone
    const link = href === '' ? item : item.appendChild(document.createElement('a'))
    link.textContent = text
    if (href !== '') link.setAttribute('href', href)
    return item
  })
  byId('verdict', HTMLUListElement).replaceChildren(...items)
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
  const { sample } = story.past
  if (sample === null) return
  const found = seriesRows(sample, search.value, 500)
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
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint)
// Lines are paler while the server does not respond.
new MutationObserver(repaint).observe(document.body, { attributeFilter: ['data-state'] })
// From now on what goes wrong is no reason to take the charts away.
document.body.dataset['state'] = 'connecting'
new LivePage({
  events: () => events,
  polled: () => polled,
  show,
  refresh,
  maxWait: 30,
  silence: Math.max(10, 5 * refresh),
}).start()
