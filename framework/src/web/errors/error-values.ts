import { setTimeout as sleep } from 'node:timers/promises'
import type { Throwables } from '../../base/debugging/throwables.ts'
import type { Request } from '../request/request.ts'

/**
 * Gives what error pages find in `it` about a visitor, such as who is signed in. It reads and writes
 * nothing: what a failed request writes is not kept. A request that was refused early has no session.
 */
export type ErrorValues = (
  request: Request,
) => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>

/** Error values that never fail. */
export type SafeErrorValues = (request: Request) => Promise<Readonly<Record<string, unknown>>>

/** An error page is due, whatever else is slow. */
const timeoutMs = 1000

/** Error values that are empty when they fail, which is reported, or take more than a second. */
export function safeErrorValues(give: ErrorValues, throwables: Throwables): SafeErrorValues {
  return async (request) => {
    const stop = new AbortController()
    try {
      const late = sleep(timeoutMs, {}, { signal: stop.signal }).catch(() => ({}))
      return await Promise.race([give(request), late])
    } catch (error) {
      throwables.notify(error)
      return {}
    } finally {
      stop.abort()
    }
  }
}
