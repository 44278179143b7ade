import { ErrorFormats, errorFormat } from '../errors/error-format.ts'
import { statusResponse } from '../errors/status-response.ts'
import { isForm } from '../request/form.ts'
import { oldInput } from '../request/old-input.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'

const refusal = 'Invalid CSRF token'
const advice = 'This form has expired. Please send it again.'

/**
 * Sends a visitor back to the form, with what was filled in: a session that has ended is no attack.
 * The page finds it as the flashes `message` and `old`, and as `expired` the path that the form was
 * sent to: a page that no longer has that form can say what happened instead.
 */
export async function returnToForm(
  request: Request,
  response: Response,
  page: string,
): Promise<Response> {
  const { session } = request
  session.flash('message', advice)
  session.flash('expired', request.path)
  const old = request.hasBody && isForm(request.type) ? oldInput((await request.form()).fields) : {}
  if (Object.keys(old).length > 0) session.flash('old', old)
  return response.redirect(page)
}

/** Whether a browser sent a form and will show what comes back; scripts want to know the status. */
export function isFormOfBrowser(request: Request): boolean {
  if (errorFormat(request.header('accept')) !== ErrorFormats.Page) return false
  const mode = request.header('sec-fetch-mode')
  if (mode !== undefined && mode !== 'navigate') return false
  return !request.hasBody || isForm(request.type)
}

/** Refuses a request outright. The reason is for developers, on pages and in problem details. */
export function refuse(request: Request, response: Response, reason: string | null): Response {
  const message = reason === null ? refusal : `${refusal}: ${reason}`
  return statusResponse(request, response, 403, { error: refusal, message })
}
