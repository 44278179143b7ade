import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { RateVerdict } from './rate-limit-store.ts'

/** Keeps where a limit stands for the headers, unless another one of the route leaves less room. */
export function noteStanding(request: Request, limit: number, verdict: RateVerdict): void {
  const { standing } = request
  if (standing !== null && verdict.allowed && standing.remaining <= verdict.remaining) return
  request.standing = { ...verdict, limit }
}

/** Puts it on an answer, of whatever kind: an error answer has lost the headers set before. */
export function showStanding({ standing }: Request, { headers }: Response): void {
  if (standing === null) return
  headers.set('X-RateLimit-Limit', String(standing.limit))
  headers.set('X-RateLimit-Remaining', String(standing.remaining))
  headers.set('X-RateLimit-Reset', String(Math.ceil(standing.reset)))
}
