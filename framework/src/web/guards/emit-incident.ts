import type { AuthEvent } from '../../app/security/accounts/auth-events.ts'
import type { Emitter } from '../../services/events/emitter.ts'
import type { Request } from '../request/request.ts'

/** Tells those who listen what happened to an account in a request; `at` is epoch seconds. */
export function emitIncident(
  emitter: Emitter,
  event: AuthEvent,
  request: Request,
  { user, at }: { readonly user: string | null; readonly at: number },
): void {
  if (!emitter.listened(event)) return
  const { peer, id } = request
  const agent = request.header('user-agent') ?? ''
  emitter.emit(event, Object.freeze({ user, peer, agent, request: id, at: Math.floor(at) }))
}
