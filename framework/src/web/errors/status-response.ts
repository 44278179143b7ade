import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { statusText } from '../server/engine/status.ts'
import { ErrorFormats, errorFormat } from './error-format.ts'
import { minimalPage } from './error-page.ts'
import { shownPath } from './report-context.ts'

/** What the answer of a status may say beyond the status. */
export interface StatusNotes {
  /**
   * What a client that wants JSON finds under `error`.
   * @default the text of the status
   */
  readonly error?: string
  /** For people, on the page; also the `detail` of problem details. */
  readonly message?: string
  /** Routes like the one that was asked for, for developers. */
  readonly near?: readonly string[]
  /** Seconds after which the client may try again; null where nothing is known of that. */
  readonly retryAfter?: number | null
}

/** Answers a request with a status, in the format its client asks for, and out of every cache. */
export function statusResponse(
  request: Request,
  response: Response,
  status: number,
  notes: StatusNotes = {},
): Response {
  response.status(status).vary('Accept').header('Cache-Control', 'no-store')
  return fillStatus(request, response, notes)
}

/** Gives a response that has its status the body: a page, `{ error }` or problem details. */
export function fillStatus(
  request: Request | null,
  response: Response,
  notes: StatusNotes,
): Response {
  const format = errorFormat(request?.header('accept'))
  if (format === ErrorFormats.Page) return statusPage(request, response, notes)
  if (format === ErrorFormats.Problem) return statusProblem(request, response, notes)
  return response.json({ error: notes.error ?? statusText(response.code) })
}

/** The page of a status: `errors/<status>` of the project, or the built-in one. */
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

/** Name of the view that a project may have for a status. */
export function statusView(status: number): string {
  return `errors/${status}`
}

/** Problem details as RFC 9457 has them, with the request to ask about. */
function statusProblem(
  request: Request | null,
  response: Response,
  { message: detail }: StatusNotes,
): Response {
  const { code: status } = response
  return response
    .json({
      type: 'about:blank',
      title: statusText(status),
      status,
      ...(request !== null && { instance: shownPath(request), request: request.id }),
      ...(detail !== undefined && { detail }),
    })
    .header('Content-Type', 'application/problem+json')
}
