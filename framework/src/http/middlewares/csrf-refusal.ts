import { ErrorFormats, errorFormatOf } from '../errors/error-format.ts'
import { statusResponse } from '../errors/status-response.ts'
import { isForm } from '../request/form.ts'
import { oldInput } from '../input/old-input.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { sentFields } from './csrf-token.ts'

const refusal = 'Invalid CSRF token'
const advice = 'This form has expired. Please send it again.'

/** How a form is sent back. */
export interface ReturnOptions {
  /** Whether its input is kept, for which it must be read. */
  readonly keepsInput: boolean
}

/**
 * Redirects back to the form and keeps the input: the session has probably just expired. Flashes
 * `message`, `old` and, as `expired`, the path the form was sent to, for a page that no longer shows
 * that form.
 */
export async function returnToForm(
  request: Request,
  response: Response,
  page: string,
  { keepsInput }: ReturnOptions,
): Promise<Response> {
  const { session } = request
  session.flash('message', advice)
  session.flash('expired', request.path)
  const old = keepsInput ? oldInput(await sentFields(request)) : {}
  if (Object.keys(old).length > 0) session.flash('old', old)
  return response.redirect(page)
}

/** Whether a browser sent a form and will show the response; scripts get a status instead. */
export function isBrowserForm(request: Request): boolean {
  if (errorFormatOf(request) !== ErrorFormats.Page) return false
  const mode = request.header('sec-fetch-mode')
  if (mode !== undefined && mode !== 'navigate') return false
  return !request.hasBody || isForm(request.type)
}

/** Responds with 403. The reason is for developers, on pages and in problem details. */
export function refuseRequest(
  request: Request,
  response: Response,
  reason: string | null,
): Response {
  const message = reason === null ? refusal : `${refusal}: ${reason}`
  return statusResponse(request, response, 403, { error: refusal, message })
}
