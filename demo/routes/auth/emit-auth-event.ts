import { AuthEvents } from 'framework/auth'
import type { AuthEventName } from 'framework/auth'
import { Emitter } from 'framework/events'
import type { Request } from 'framework/http'

/** Emits an account event: it is logged, counted, and mailed to the owner where that matters. */
export function emitAuthEvent(name: AuthEventName, request: Request, user: string | null): void {
  const at = Math.floor(Date.now() / 1000)
  Emitter.Instance.emit(AuthEvents[name], { user, ...originOf(request), at })
}

/** Where a request came from, for events, their mails and the activity of accounts. */
export function originOf(request: Request) {
  const { id, method, peer, route } = request
  const agent = request.header('user-agent') ?? ''
  return { peer, agent, request: id, route: `${method} ${route}` }
}
