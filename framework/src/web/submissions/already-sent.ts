import { minimalPage } from '../errors/error-page.ts'
import type { PrepareErrorPage } from '../errors/error-values.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { statusText } from '../server/engine/status.ts'

const message = 'This form was already sent. Go back and reload the page to see what came of it.'

/** Answers a repeat whose first answer cannot be given again, or is not there yet: 409. */
export async function alreadySent(
  request: Request,
  response: Response,
  prepareErrorPage: PrepareErrorPage | null,
): Promise<Response> {
  request.session.mute()
  response.status(409).header('Cache-Control', 'no-store')
  const notes = { request: request.id, message, near: [] }
  if (!response.hasView('errors/409')) return response.html(minimalPage(409, notes))
  await prepareErrorPage?.(request, response)
  return response.view('errors/409', { status: 409, text: statusText(409), ...notes })
}
