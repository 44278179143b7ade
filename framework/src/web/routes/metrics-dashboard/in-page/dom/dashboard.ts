/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { charts } from '../charts.ts'
import { nextDelay } from '../delay.ts'
import { timeAt } from '../drawing.ts'
import type { Frame } from '../drawing.ts'
import { factsOf } from '../facts.ts'
import { formatDuration } from '../format-value.ts'
import { emptyHistory, remember } from '../history.ts'
import { nearestTime } from '../lines.ts'
import { readSample } from '../sample.ts'
import type { Sample } from '../sample.ts'
import { countText, seriesRows } from '../series-rows.ts'
import { drawChart } from './draw-chart.ts'
import type { Size } from './draw-chart.ts'
import { byId, clock, fillRows, setText, within } from './elements.ts'

// The page itself: asks for the numbers of its address and draws them. It starts when it is loaded.

const { dataset } = document.body
const refresh = Number(dataset['refresh'])
const average = Number(dataset['average'])
const memory = { span: 300, average, silence: Math.max(average, 3 * refresh) }
const address = sourceOf(dataset['source'] ?? '')
const search = byId('search', HTMLInputElement)
const pause = byId('pause', HTMLButtonElement)
const sizes = new Map<Element, Size>()
const frames = new Map<Element, Frame>()
let story = emptyHistory()
/** The time that is pointed at; null when none is. */
let cursor: number | null = null
let drawn = true
let failures = 0
let busy = false
let paused = false
let timer: ReturnType<typeof setTimeout> | undefined

// A page may be opened with a name and a password in its address; requests may not carry them there.
function sourceOf(source: string): URL {
  const url = new URL(source, location.href)
  url.username = url.password = url.hash = ''
  return url
}

/** Asks for the numbers, and again after a while. One request is under way at most. */
async function poll(): Promise<void> {
  clearTimeout(timer)
  if (busy || paused || document.hidden) return
  busy = true
  const answer = await load()
  busy = false
  const failed = typeof answer === 'string'
  failures = failed ? failures + 1 : 0
  plan(failed ? answer : '')
  if (!failed) take(answer)
}

/** What the server tells, or why that is nothing. */
async function load(): Promise<Sample | string> {
  const headers = { accept: 'application/json' }
  const signal = AbortSignal.timeout(10_000)
  const answer = await fetch(address, { headers, signal, cache: 'no-store' }).catch(() => null)
  if (answer === null) return 'The server does not answer'
  if (!answer.ok) return `The server answers with status ${answer.status}`
  return readSample(await answer.json().catch(() => null)) ?? 'The answer holds no metrics'
}

function plan(trouble: string): void {
  if (paused) return
  const seconds = nextDelay(failures, refresh)
  timer = setTimeout(() => void poll(), seconds * 1000)
  if (trouble === '') tell('live', 'Live')
  else tell('failing', `${trouble}. Next try in ${formatDuration(Math.ceil(seconds))}.`)
}

function tell(state: string, text: string): void {
  dataset['state'] = state
  setText(byId('state', HTMLElement), text)
}

function take(sample: Sample): void {
  story = remember(story, sample, memory)
  for (const [name, text] of Object.entries(factsOf(sample))) {
    setText(byId(`fact-${name}`, HTMLElement), text)
  }
  setText(byId('updated', HTMLElement), `numbers of ${clock(sample.at)}`)
  draw()
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
  if (paused) tell('paused', 'Paused')
  void poll()
})
document.addEventListener('visibilitychange', () => void poll())
window.addEventListener('online', () => void poll())
byId('scriptless', HTMLElement).hidden = true
for (const element of document.querySelectorAll<HTMLElement>('.live')) element.hidden = false
void poll()
