/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { byId, fillLinks, isRows, isTyping, within } from '../../../in-page/dom/elements.ts'
import { LivePage } from '../../../in-page/dom/live-page.ts'

// The entry point of the list: shows what happens while the page is open.

const typingMs = 200
const search = byId('search', HTMLInputElement)
const kind = byId('kind', HTMLSelectElement)
const all = byId('all', HTMLInputElement)
const body = byId('rows', HTMLTableSectionElement)
const page = new LivePage({
  events: () => addressOf('events'),
  polled: () => ({ rows: addressOf('rows') }),
  show: (_name, data) => showRows(data),
  refresh: 1,
  maxWait: 10,
  // The server is silent for ten seconds at most, if nothing happens.
  silence: 30,
})

function addressOf(name: 'events' | 'rows'): URL {
  const url = new URL(`/inspect/${name}`, location.origin)
  url.search = searchQuery().toString()
  return url
}

function searchQuery(): URLSearchParams {
  const query = new URLSearchParams()
  if (search.value !== '') query.set('q', search.value)
  if (kind.value !== '') query.set('kind', kind.value)
  if (all.checked) query.set('all', '1')
  return query
}

/** Shows these rows, each with the tone of its status. */
function showRows(rows: unknown): string {
  if (!isRows(rows)) return 'The response has no rows'
  fillLinks(
    body,
    rows.map(([href = '', , ...texts]) => [href, ...texts]),
  )
  for (const [at, [, tone = '']] of rows.entries()) {
    within(body.rows.item(at) ?? body, '.status', HTMLElement).className = `status ${tone}`
  }
  return ''
}

function searchAgain(): void {
  const query = searchQuery().toString()
  history.replaceState(null, '', query === '' ? location.pathname : `?${query}`)
  page.ask(typingMs)
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
all.addEventListener('change', searchAgain)
byId('find', HTMLElement).hidden = true
if (location.hash === '#search') search.focus()
page.start()
