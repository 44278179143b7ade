import { settledWithin } from '../../base/pending-work.ts'
import type { Throwables } from '../../errors/throwables/throwables.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'

/**
 * Returns values for `it` in error pages, such as the signed-in user. It must not write to the session:
 * a failed request saves nothing. A request that was refused early has no session.
 */
export type ErrorValues = (
  request: Request,
) => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>

/** Loads the values for the error page of a request. Never rejects. */
export type PrepareErrorPage = (request: Request, response: Response) => Promise<void>

/** The error page does not wait longer for its values. */
const timeoutMs = 1000

/** Shares error values with a response; none if they take too long or fail, which is reported. */
export function errorPagePreparer(load: ErrorValues, throwables: Throwables): PrepareErrorPage {
  return async (request, response) => {
    try {
      const values = Promise.resolve(load(request))
      if (await settledWithin(values, timeoutMs)) response.share(await values)
    } catch (error) {
      throwables.notify(error)
    }
  }
}
