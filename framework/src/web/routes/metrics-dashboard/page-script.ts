import { charts } from './charts.ts'
import { pageFunctions } from './page-functions.ts'

/** What is told about the connection, and when the next request goes out. One is under way at most. */
const polling = `
async function load() {
  const headers = { accept: 'application/json' }
  const signal = AbortSignal.timeout(10_000)
  const answer = await fetch(address, { headers, signal, cache: 'no-store' }).catch(() => null)
  if (answer === null) return 'The server does not answer'
  if (!answer.ok) return 'The server answers with status ' + answer.status
  return readSample(await answer.json().catch(() => null)) ?? 'The answer holds no metrics'
}
async function poll() {
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
function plan(trouble) {
  if (paused) return
  const seconds = nextDelay(failures, refresh)
  timer = setTimeout(poll, seconds * 1000)
  if (trouble === '') tell('live', 'Live')
  else tell('failing', trouble + '. Next try in ' + formatDuration(Math.ceil(seconds)) + '.')
}
function tell(state, text) {
  document.body.dataset.state = state
  setText(byId('state'), text)
}
document.addEventListener('visibilitychange', poll)
addEventListener('online', poll)
byId('pause').addEventListener('click', () => {
  paused = !paused
  setText(byId('pause'), paused ? 'Resume' : 'Pause')
  if (paused) tell('paused', 'Paused')
  poll()
})
`

/** Puts numbers and drawings into the document: as text and attributes, never as markup. */
const drawing = `
function take(sample) {
  story = remember(story, sample, memory)
  for (const [name, text] of Object.entries(factsOf(sample))) setText(byId('fact-' + name), text)
  setText(byId('updated'), 'numbers of ' + clock(sample.at))
  draw()
  fillTable()
}
function draw() {
  drawn = true
  const at = nearestTime(story.points, cursor)
  for (const chart of charts) drawChart(chart, at)
}
function drawSoon() {
  if (drawn) requestAnimationFrame(draw)
  drawn = false
}
function drawChart(chart, at) {
  const card = byId(chart.id)
  const svg = card.querySelector('.plot')
  const [width, height] = sizes.get(svg) ?? [0, 0]
  if (width === 0) return
  const now = story.points.at(-1)?.at ?? 0
  const lines = linesOf(chart, story, at)
  const drawing = drawingOf(chart, lines, { width, height, now, span, silence: memory.silence })
  frames.set(svg, drawing.frame)
  svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height)
  svg.setAttribute('aria-label', alternativeOf(chart, lines, span / 60))
  svg.replaceChildren(...gridOf(drawing), ...strokesOf(drawing), ...crosshairOf(drawing, at))
  card.querySelector('.none').hidden = lines.some(({ most }) => most !== null)
  const { key, unit } = chart.headline
  const point = story.points.find((point) => point.at === at)
  const written = writeValue(point?.values.get(key) ?? null, unit)
  setText(card.querySelector('.number'), written.number)
  setText(card.querySelector('.unit'), written.unit)
  setText(card.querySelector('.when'), cursor === null ? 'Now' : clock(at))
  fillLegend(card.querySelector('tbody'), lines, chart.unit)
}
function gridOf({ frame, ticks, times }) {
  return [
    ...ticks.flatMap(({ y, text }) => [
      shape('line', { class: 'grid', x1: frame.left, x2: frame.right, y1: y, y2: y }),
      shape('text', { class: 'tick', x: frame.left - 8, y: y + 4, 'text-anchor': 'end' }, text),
    ]),
    ...times.map(({ x, text }) => {
      const anchor = text === 'now' ? 'end' : 'middle'
      return shape('text', { class: 'tick', x, y: frame.bottom + 18, 'text-anchor': anchor }, text)
    }),
  ]
}
function strokesOf({ strokes }) {
  return strokes.flatMap(({ tone, area, path, marks }) => [
    shape('path', { class: 'area tone-' + tone, d: area }),
    shape('path', { class: 'line tone-' + tone, d: path }),
    shape('path', { class: 'mark tone-' + tone, d: marks }),
  ])
}
function crosshairOf({ frame }, at) {
  if (cursor === null) return []
  const x = xOf(frame, at)
  return [shape('line', { class: 'crosshair', x1: x, x2: x, y1: frame.top, y2: frame.bottom })]
}
function fillLegend(body, lines, unit) {
  const texts = lines.map(({ name, value, least, most }) =>
    [name, ...[value, least, most].map((value) => formatValue(value, unit))])
  fillRows(body, texts, byId('legend-row'))
  for (const [at, { tone }] of lines.entries()) {
    const row = body.rows[at]
    row.className = 'tone-' + tone
    row.querySelector('.mark').setAttribute('d', markPath(tone, 12, 7, 4))
  }
}
function fillTable() {
  if (story.sample === null) return
  const found = seriesRows(story.sample, byId('search').value, 500)
  fillRows(byId('series'), found.rows, byId('series-row'))
  setText(byId('found'), countText(found))
}
function fillRows(body, rows, template) {
  while (body.rows.length > rows.length) body.deleteRow(-1)
  while (body.rows.length < rows.length) body.append(template.content.cloneNode(true))
  for (const [at, texts] of rows.entries()) {
    const cells = body.rows[at].querySelectorAll('[data-cell]')
    for (const [place, text] of texts.entries()) setText(cells[place], text)
  }
}
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}
function shape(name, attributes, text = '') {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.textContent = text
  return element
}
function clock(at) {
  return new Date(at * 1000).toLocaleTimeString('en-GB')
}
`

const state = `
const span = 300
const byId = (id) => document.getElementById(id)
const { dataset } = document.body
const refresh = Number(dataset.refresh)
const average = Number(dataset.average)
const memory = { span, average, silence: Math.max(average, 3 * refresh) }
// A page may be opened with a name and a password in its address; requests may not carry them there.
const address = new URL(dataset.source, location.href)
address.username = address.password = address.hash = ''
const sizes = new Map()
const frames = new Map()
let story = emptyHistory()
let cursor = null
let drawn = true
let failures = 0
let busy = false
let paused = false
let timer = 0
`

const start = `
const resized = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) sizes.set(target, [contentRect.width, contentRect.height])
  drawSoon()
})
for (const svg of document.querySelectorAll('.plot')) {
  resized.observe(svg)
  svg.addEventListener('pointermove', ({ clientX }) => {
    const frame = frames.get(svg)
    if (frame === undefined) return
    cursor = timeAt(frame, clientX - svg.getBoundingClientRect().left)
    drawSoon()
  })
  for (const leaving of ['pointerleave', 'pointercancel']) {
    svg.addEventListener(leaving, () => {
      cursor = null
      drawSoon()
    })
  }
}
byId('search').addEventListener('input', fillTable)
byId('scriptless').hidden = true
for (const element of document.querySelectorAll('.live')) element.hidden = false
poll()
`

/** All the script of the page, for a module: asks for the numbers and draws them. */
export const pageScript: string = [
  `const charts = ${JSON.stringify(charts)}`,
  pageFunctions,
  state,
  polling,
  drawing,
  start,
]
  .join('\n')
  .replaceAll(/\n\s*/g, '\n')
