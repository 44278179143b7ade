import { AuthEvents } from 'framework/auth'
import type { AuthEventName } from 'framework/auth'
import { Emitter } from 'framework/events'
import type { Request } from 'framework/http'

/** Emits an account event: it is logged, counted, and mailed to the owner where that matters. */
export function emitAuthEvent(name: AuthEventName, request: Request, user: string | null): void {
  const at = Math.floor(Date.now() / 1000)
  const route = `${request.method} ${request.route}`
  Emitter.Instance.emit(AuthEvents[name], { user, ...originOf(request), route, at })
}

/** Where a request came from, for events and their mails. */
export function originOf(request: Request): { peer: string; agent: string; request: string } {
  const { peer, id } = request
  return { peer, agent: request.header('user-agent') ?? '', request: id }
}
