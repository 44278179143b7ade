import { SecurityEvents, emitSecurityEvent } from '../security-events.ts'
import type { SecurityEvent } from '../security-events.ts'
import type { Emitter } from '../../events/emitter.ts'
import type { Request } from '../request/request.ts'
import { HttpError } from './http-error.ts'

const events: ReadonlyMap<number, SecurityEvent> = new Map([
  [403, SecurityEvents.Forbidden],
  [429, SecurityEvents.LimitExceeded],
])

/**
 * Emits the security event of a thrown 403 or 429. Here rather than where they are thrown, so that the
 * refusals of a project are in the security log without any code.
 */
export function emitRefusal(thrown: unknown, request: Request, emitter: Emitter): void {
  const event = thrown instanceof HttpError ? events.get(thrown.status) : undefined
  if (event !== undefined) emitSecurityEvent(event, request, emitter)
}
