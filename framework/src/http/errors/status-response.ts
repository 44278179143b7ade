import { escapeHtml } from '../../base/encoding/escape-html.ts'
import type { Request } from '../request/request.ts'
import { shownPath } from '../request/shown-path.ts'
import type { Response } from '../response/response.ts'
import { statusText } from '../server/engine/node-http.ts'
import { ErrorFormats, errorFormatOf } from './error-format.ts'
import type { Problem } from './problem.ts'

/** What the response for a status says besides the status. */
export interface StatusNotes {
  /**
   * Value of `error` in the JSON body.
   * @default the status text
   */
  readonly error?: string
  /** Shown on the page, and the `detail` of problem details. */
  readonly message?: string
  /** Routes similar to the requested one, for developers. */
  readonly near?: readonly string[]
  /**
   * Whether the response is problem details whatever the client accepts.
   * @default false
   */
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
  { message = '', near = [], retryAfter = null }: StatusNotes,
): Response {
  const { code: status } = response
  const notes = { request: request?.id ?? '', message, near }
  const view = statusView(status)
  if (!response.hasView(view)) return response.html(minimalPage(status, notes))
  return response.view(view, { status, text: statusText(status), retryAfter, ...notes })
}

/** Name of a project's view for a status. */
export function statusView(status: number): string {
  return `errors/${status}`
}

/** What the built-in page shows besides the status. */
interface PageNotes {
  /** Request id, to find the error in the log; empty if there was no request. */
  readonly request: string
  /** The error message for developers; empty for everybody else. */
  readonly message: string
  /** Routes similar to the requested one, for developers. */
  readonly near: readonly string[]
}

/** The built-in page of a status: its code, its text and the request id. */
function minimalPage(status: number, notes: PageNotes): string {
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
