import { ErrorFormats, errorFormat } from '../errors/error-format.ts'
import { minimalPage } from '../errors/error-page.ts'
import { problemPayload } from '../errors/problem-payload.ts'
import { shownPath } from '../errors/report-context.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { statusText } from '../server/engine/status.ts'

const status = 401

/** Answers 401 in the form the client asks for: JSON, the project's page `errors/401`, or a plain one. */
export function unauthorized(request: Request, response: Response, challenge: string): Response {
  challenged(response, challenge).vary('Accept').header('Cache-Control', 'no-store')
  const format = errorFormat(request.header('accept'))
  if (format === ErrorFormats.Payload) return response.json({ error: statusText(status) })
  if (format === ErrorFormats.Problem) {
    const facts = { instance: shownPath(request), request: request.id }
    return response
      .json(problemPayload(status, facts))
      .header('Content-Type', 'application/problem+json')
  }
  const notes = { request: request.id, message: '', near: [] }
  const view = `errors/${status}`
  if (!response.hasView(view)) return response.html(minimalPage(status, notes))
  return response.view(view, { status, text: statusText(status), ...notes })
}

/** Makes an answer a 401, whatever it was. */
export function challenged(response: Response, challenge: string): Response {
  return response.status(status).header('WWW-Authenticate', challenge)
}
