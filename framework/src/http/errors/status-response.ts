import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { statusText } from '../server/engine/status-text.ts'
import { ErrorFormats, errorFormatOf } from './error-format.ts'
import { minimalPage } from './error-page.ts'
import type { Problem } from './problem.ts'
import { shownPath } from './report-context.ts'

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
  const format = notes.problem === true ? ErrorFormats.Problem : acceptedFormat(request)
  if (format === ErrorFormats.Page) return statusPage(request, response, notes)
  if (format === ErrorFormats.Problem || notes.details !== undefined) {
    return statusProblem(request, response, notes)
  }
  return response.json({ error: notes.error ?? statusText(response.code) })
}

function acceptedFormat(request: Request | null): ErrorFormats {
  return request === null ? ErrorFormats.Page : errorFormatOf(request)
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
