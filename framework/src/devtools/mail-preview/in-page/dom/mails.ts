/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { byId, fillLinks, isRows, setText } from '../../../in-page/dom/elements.ts'
import { LivePage } from '../../../in-page/dom/live-page.ts'

// The entry point of the list of mails: shows those that are written while the page is open.

const body = byId('rows', HTMLTableSectionElement)

function show(_name: string, data: unknown): string {
  const { count, rows } = Object(data)
  if (!isRows(rows)) return 'The response has no rows'
  setText(byId('count', HTMLElement), String(count))
  fillLinks(body, rows)
  return ''
}

new LivePage({
  events: () => new URL('/mails/events', location.origin),
  polled: () => ({ rows: new URL('/mails/rows', location.origin) }),
  show,
  refresh: 2,
  maxWait: 10,
  // The server is silent for ten seconds at most, if no mail is written.
  silence: 30,
}).start()
