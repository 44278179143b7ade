/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { byId, setText, within, isTyping } from '../../../in-page/dom/elements.ts'
import { LiveEvents } from '../../../in-page/dom/live-events.ts'
import { nextDelay } from '../../../in-page/next-delay.ts'
import { readChanges } from '../list-state.ts'
import type { Changes, Row } from '../list-state.ts'

// The entry point of the list: adds what happens while the page is open.

const maxRows = 100
const typingMs = 200
const { dataset } = document.body
const search = byId('search', HTMLInputElement)
const kind = byId('kind', HTMLSelectElement)
const pause = byId('pause', HTMLButtonElement)
const body = byId('rows', HTMLTableSectionElement)
/** Silent for ten seconds at most, if nothing happens. */
const events = new LiveEvents({ silence: 30, handlers: { changes: receive }, lost: look })
let change = Number(dataset['change'])
let failures = 0
let busy = false
let paused = false
/** Whether the search has changed, or the server was away: then the rows are replaced. */
let stale = false
let timer: ReturnType<typeof setTimeout> | undefined

/** Follows what happens, unless nobody is looking. A search is done even if the list is paused. */
function look(): void {
  clearTimeout(timer)
  if (document.hidden || paused) events.close()
  if (document.hidden || (paused && !stale)) return
  if (paused || !events.open(addressOf('events'))) void poll()
}

function receive(data: unknown): void {
  const changes = readChanges(data)
  if (changes === null) return
  failures = 0
  stale = false
  setState('live', 'Live')
  show(changes)
}

/** Loads what is new and schedules the next look. At most one request runs at a time. */
async function poll(): Promise<void> {
  if (busy) return
  busy = true
  const address = addressOf('changes')
  stale = false
  const changes = await load(address)
  busy = false
  if (changes === null) {
    failures += 1
    stale = true
    setState('failing', 'The server does not respond')
  } else {
    failures = 0
    if (!paused) setState('live', 'Live')
    show(changes)
  }
  schedule(nextDelay(failures, 1, 10) * 1_000)
}

function schedule(ms: number): void {
  clearTimeout(timer)
  timer = setTimeout(look, ms)
}

/** Where the changes come from: after those that are shown, or all rows. */
function addressOf(name: 'events' | 'changes'): URL {
  const url = new URL(`/inspect/${name}`, location.origin)
  url.search = searchQuery().toString()
  url.searchParams.set('after', String(stale ? 0 : change))
  return url
}

async function load(address: URL): Promise<Changes | null> {
  const signal = AbortSignal.timeout(10_000)
  try {
    const response = await fetch(address, { signal, cache: 'no-store' })
    return response.ok ? readChanges(await response.json()) : null
  } catch {
    return null
  }
}

function searchQuery(): URLSearchParams {
  const query = new URLSearchParams()
  if (search.value !== '') query.set('q', search.value)
  if (kind.value !== '') query.set('kind', kind.value)
  return query
}

function show(changes: Changes): void {
  change = changes.change
  if (changes.isWhole) body.replaceChildren()
  for (const row of changes.rows.toReversed()) showRow(row)
  while (body.rows.length > maxRows) body.deleteRow(-1)
  byId('nothing', HTMLElement).hidden = body.rows.length > 0
}

function showRow(row: Row): void {
  const known = body.querySelector<HTMLElement>(`tr[data-number="${row.number}"]`)
  const element = known ?? newRow()
  element.dataset['number'] = String(row.number)
  within(element, 'a', HTMLAnchorElement).href = row.href
  for (const cell of element.querySelectorAll<HTMLElement>('[data-cell]')) {
    const name = cell.dataset['cell'] ?? ''
    cell.textContent = row.texts[name] ?? ''
    if (name === 'status') cell.className = `status ${row.tone}`
  }
  if (known === null) body.prepend(element)
}

function newRow(): HTMLElement {
  const { content } = byId('row', HTMLTemplateElement)
  return document.importNode(within(content, 'tr', HTMLTableRowElement), true)
}

function setState(state: string, text: string): void {
  dataset['state'] = state
  setText(byId('state', HTMLElement), text)
}

function searchAgain(): void {
  stale = true
  events.close()
  const query = searchQuery().toString()
  history.replaceState(null, '', query === '' ? location.pathname : `?${query}`)
  schedule(typingMs)
}

/** Moves the focus by rows; the link of a row is what opens it. */
function move(by: number): void {
  const links = [...body.querySelectorAll<HTMLElement>('a')]
  const at = links.findIndex((link) => link === document.activeElement)
  const next = at === -1 ? (by > 0 ? 0 : links.length - 1) : at + by
  links[Math.min(links.length - 1, Math.max(0, next))]?.focus()
}

const moves = new Map([
  ['j', 1],
  ['ArrowDown', 1],
  ['k', -1],
  ['ArrowUp', -1],
])

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Escape') {
    if (document.activeElement === search && search.value !== '') {
      search.value = ''
      searchAgain()
    }
    search.blur()
    return
  }
  if (isTyping(event.target)) return
  const by = moves.get(event.key)
  if (by !== undefined) {
    event.preventDefault()
    move(by)
  } else if (event.key === '/') {
    event.preventDefault()
    search.focus()
    search.select()
  }
})
search.addEventListener('input', searchAgain)
kind.addEventListener('change', searchAgain)
pause.addEventListener('click', () => {
  paused = !paused
  pause.textContent = paused ? 'Resume' : 'Pause'
  if (paused) setState('paused', 'Paused')
  look()
})
document.addEventListener('visibilitychange', look)
byId('find', HTMLElement).hidden = true
for (const element of document.querySelectorAll<HTMLElement>('.live')) element.hidden = false
if (location.hash === '#search') search.focus()
look()
