import { setTimeout as sleep } from 'node:timers/promises'
import type { Throwables } from '../../base/throwables/throwables.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'

/**
 * Gives what error pages find in `it` about a visitor, such as who is signed in. It reads and writes
 * nothing: what a failed request writes is not kept. A request that was refused early has no session.
 */
export type ErrorValues = (
  request: Request,
) => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>

/** Gives the error page that a response may become what it shows of the visitor. Never rejects. */
export type PrepareErrorPage = (request: Request, response: Response) => Promise<void>

/** An error page is due, whatever else is slow. */
const timeoutMs = 1000

/** Shares error values with a response; none when they fail, which is reported, or take too long. */
export function errorPagePreparer(give: ErrorValues, throwables: Throwables): PrepareErrorPage {
  return async (request, response) => {
    const stop = new AbortController()
    try {
      const late = sleep(timeoutMs, {}, { signal: stop.signal }).catch(() => ({}))
      response.share(await Promise.race([give(request), late]))
    } catch (error) {
      throwables.notify(error)
    } finally {
      stop.abort()
    }
  }
}
