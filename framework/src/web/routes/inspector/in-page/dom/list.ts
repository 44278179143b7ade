/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { nextDelay, readChanges } from '../list-state.ts'
import type { Changes, Row } from '../list-state.ts'
import { byId, isTyping, within } from './elements.ts'

// The entry point of the list: adds what happens while the page is open.

const maxRows = 100
const typingMs = 200
const { dataset } = document.body
const search = byId('search', HTMLInputElement)
const kind = byId('kind', HTMLSelectElement)
const pause = byId('pause', HTMLButtonElement)
const body = byId('rows', HTMLTableSectionElement)
let change = Number(dataset['change'])
let failures = 0
let busy = false
let paused = false
/** Whether the search has changed, or the server was away: then the rows are replaced. */
let stale = false
let timer: ReturnType<typeof setTimeout> | undefined

/** Loads what is new and schedules the next request. At most one request runs at a time. */
async function poll(): Promise<void> {
  clearTimeout(timer)
  if (busy || document.hidden || (paused && !stale)) return
  busy = true
  const isWhole = stale
  stale = false
  const changes = await load(isWhole ? 0 : change)
  busy = false
  if (changes === null) {
    failures += 1
    stale = true
    setState('failing', 'The server does not respond')
  } else {
    failures = 0
    if (!paused) setState('live', 'Live')
    show(changes, isWhole)
  }
  schedule(nextDelay(failures) * 1_000)
}

function schedule(ms: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => void poll(), ms)
}

async function load(after: number): Promise<Changes | null> {
  const query = searchQuery()
  query.set('after', String(after))
  const signal = AbortSignal.timeout(10_000)
  try {
    const response = await fetch(`/inspect/changes?${query}`, { signal, cache: 'no-store' })
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

function show(changes: Changes, isWhole: boolean): void {
  // The file was emptied: what is shown is no longer there.
  if (changes.change < change && !isWhole) {
    change = 0
    stale = true
    return
  }
  change = changes.change
  if (isWhole) body.replaceChildren()
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
  const element = byId('state', HTMLElement)
  // Screen readers would announce an equal text again.
  if (element.textContent !== text) element.textContent = text
}

function searchAgain(): void {
  stale = true
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
  void poll()
})
document.addEventListener('visibilitychange', () => void poll())
byId('find', HTMLElement).hidden = true
for (const element of document.querySelectorAll<HTMLElement>('.live')) element.hidden = false
if (location.hash === '#search') search.focus()
void poll()
