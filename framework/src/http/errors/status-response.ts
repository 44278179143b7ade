import { escapeHtml } from '../../base/encoding/escape-html.ts'
import type { Translate } from '../../i18n/languages.ts'
import { english } from '../../i18n/english.ts'
import type { Request } from '../request/request.ts'
import { shownPath } from '../request/shown-path.ts'
import type { Response } from '../response/response.ts'
import { statusText } from '../server/engine/node-http.ts'
import { ErrorFormats, errorFormatOf } from './error-format.ts'
import type { Problem } from './problem.ts'

/** What the response for a status says besides the status. */
export interface StatusNotes {
  /** Value of `error` in the JSON body. @default the status text */
  readonly error?: string
  /** Shown on the page, and the `detail` of problem details. */
  readonly message?: string
  /** What the page shows in place of `message`, in the language of the request. */
  readonly text?: ((t: Translate) => string) | undefined
  /** Routes similar to the requested one, for developers. */
  readonly near?: readonly string[]
  /** The line of the project that has thrown it, for developers; empty if there is none. */
  readonly thrown?: string
  /** Whether the response is problem details whatever the client accepts. @default false */
  readonly problem?: boolean
  /** Type, title and more members of problem details, which then replace `{ error }` too. */
  readonly details?: Pick<Problem, 'type' | 'title' | 'members'> | undefined
  /** Seconds after which the client may try again; null if unknown. */
  readonly retryAfter?: number | null
}

/** Responds with a status, in the format the client prefers, uncached. */
export function statusResponse(
  request: Request,
  response: Response,
  status: number,
  notes: StatusNotes = {},
): Response {
  response.status(status).vary('Accept').header('Cache-Control', 'no-store')
  return fillStatus(request, response, notes)
}

/** Fills the body of a response whose status is set: a page, `{ error }` or problem details. */
export function fillStatus(
  request: Request | null,
  response: Response,
  notes: StatusNotes,
): Response {
  const accepted = request === null ? ErrorFormats.Page : errorFormatOf(request)
  const format = notes.problem === true ? ErrorFormats.Problem : accepted
  if (format === ErrorFormats.Page) return statusPage(request, response, notes)
  if (format === ErrorFormats.Problem || notes.details !== undefined) {
    return statusProblem(request, response, notes)
  }
  return response.json({ error: notes.error ?? statusText(response.code) })
}

/** Sends the page of a status: the view `errors/<status>` of the project, or the built-in page. */
export function statusPage(
  request: Request | null,
  response: Response,
  {
    message = '',
    text: textIn = (write) => write(message),
    near = [],
    thrown = '',
    retryAfter = null,
  }: StatusNotes,
): Response {
  const { code: status } = response
  const t = request?.t ?? english()
  const notes = { request: request?.id ?? '', message: textIn(t), near, thrown }
  const view = statusView(status)
  const text = t(statusText(status))
  if (!response.hasView(view)) return response.html(minimalPage(status, text, notes, t))
  // A form that is sent again by a link would be lost, so only pages can be asked for again.
  const again = request?.method === 'GET'
  return response.view(view, { status, text, retryAfter, again, ...notes })
}

/** Name of a project's view for a status. */
export function statusView(status: number): string {
  return `errors/${status}`
}

/** What the built-in page shows besides the status. */
interface PageNotes extends Required<Pick<StatusNotes, 'message' | 'near' | 'thrown'>> {
  /** Request id, to find the error in the log; empty if there was no request. */
  readonly request: string
}

/** The built-in page of a status: its code, its text and the request id. */
function minimalPage(status: number, title: string, notes: PageNotes, t: Translate): string {
  const text = escapeHtml(title)
  const direction = t.direction === 'rtl' ? ' dir="rtl"' : ''
  return (
    `<!doctype html><html lang="${t.language}"${direction}><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">` +
    `<title>${status} ${text}</title></head><body><h1>${status}</h1><p>${text}</p>` +
    `${notesOf(notes, t)}</body></html>\n`
  )
}

function notesOf({ request, message, near, thrown }: PageNotes, t: Translate): string {
  const paragraph = message === '' ? '' : `<p>${escapeHtml(message)}</p>`
  const routes = near.map((route) => `<li><code>${escapeHtml(route)}</code></li>`).join('')
  const list = routes === '' ? '' : `<p>${escapeHtml(t('Did you mean:'))}</p><ul>${routes}</ul>`
  const id =
    request === '' ? '' : `<p>${escapeHtml(t('Request'))} <code>${escapeHtml(request)}</code></p>`
  const line = thrown === '' ? '' : `<p>Thrown at <code>${escapeHtml(thrown)}</code></p>`
  return paragraph + line + list + id
}

/** Problem details (RFC 9457), with the request id. */
function statusProblem(
  request: Request | null,
  response: Response,
  { message: detail, details }: StatusNotes,
): Response {
  const { code: status } = response
  return response
    .json({
      // First, so that they never replace the standard ones.
      ...details?.members,
      type: details?.type ?? 'about:blank',
      title: details?.title ?? statusText(status),
      status,
      ...(request !== null && { instance: shownPath(request), request: request.id }),
      ...(detail !== undefined && { detail }),
    })
    .header('Content-Type', 'application/problem+json')
}
