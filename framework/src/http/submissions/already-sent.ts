import type { PrepareErrorPage } from '../errors/error-values.ts'
import { statusPage, statusView } from '../errors/status-response.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'

const message = 'This form was already sent. Go back and reload the page to see the result.'

/** Responds with 409 to a repeat if the first response is missing or cannot be replayed. */
export async function alreadySent(
  request: Request,
  response: Response,
  prepareErrorPage: PrepareErrorPage | null,
): Promise<Response> {
  request.session.discardWrites()
  response.status(409).header('Cache-Control', 'no-store')
  if (response.hasView(statusView(409))) await prepareErrorPage?.(request, response)
  return statusPage(request, response, { message })
}
