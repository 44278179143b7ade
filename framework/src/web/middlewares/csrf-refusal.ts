import { ErrorFormats, errorFormat } from '../errors/error-format.ts'
import { minimalPage } from '../errors/error-page.ts'
import { problemPayload } from '../errors/problem-payload.ts'
import { shownPath } from '../errors/report-context.ts'
import { isForm } from '../request/form.ts'
import { oldInput } from '../request/old-input.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { statusText } from '../server/engine/status.ts'

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
  response.status(403).vary('Accept').header('Cache-Control', 'no-store')
  const format = errorFormat(request.header('accept'))
  if (format === ErrorFormats.Payload) return response.json({ error: refusal })
  const message = reason === null ? refusal : `${refusal}: ${reason}`
  if (format === ErrorFormats.Problem) {
    const facts = { instance: shownPath(request), request: request.id, detail: message }
    return response
      .json(problemPayload(403, facts))
      .header('Content-Type', 'application/problem+json')
  }
  const notes = { request: request.id, message, near: [] }
  if (!response.hasView('errors/403')) return response.html(minimalPage(403, notes))
  return response.view('errors/403', { status: 403, text: statusText(403), ...notes })
}
