import { escapeHtml } from '../../base/encoding/escape-html.ts'
import { statusText } from '../server/engine/status-text.ts'

/** What the built-in page shows besides the status. */
export interface PageNotes {
  /** Request id, to find the error in the log; empty if there was no request. */
  readonly request: string
  /** The error message for developers; empty for everybody else. */
  readonly message: string
  /** Routes similar to the requested one, for developers. */
  readonly near: readonly string[]
}

/** The built-in page of a status: its code, its text and the request id. */
export function minimalPage(status: number, notes: PageNotes): string {
  const text = escapeHtml(statusText(status))
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">` +
    `<title>${status} ${text}</title></head><body><h1>${status}</h1><p>${text}</p>` +
    `${notesOf(notes)}</body></html>\n`
  )
}

function notesOf({ request, message, near }: PageNotes): string {
  const paragraph = message === '' ? '' : `<p>${escapeHtml(message)}</p>`
  const routes = near.map((route) => `<li><code>${escapeHtml(route)}</code></li>`).join('')
  const list = routes === '' ? '' : `<p>Did you mean:</p><ul>${routes}</ul>`
  const id = request === '' ? '' : `<p>Request <code>${escapeHtml(request)}</code></p>`
  return paragraph + list + id
}
