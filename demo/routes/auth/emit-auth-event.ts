import { AuthEvents } from 'framework/auth'
import type { AuthEventName } from 'framework/auth'
import { Emitter } from 'framework/events'
import type { Request } from 'framework/http'

/** Emits an account event: it is logged, counted, and mailed to the owner where that matters. */
export function emitAuthEvent(
  name: AuthEventName,
  request: Request,
  { user, at }: { readonly user: string | null; readonly at: number },
): void {
  Emitter.Instance.emit(AuthEvents[name], { user, ...originOf(request), at: Math.floor(at) })
}

/** Where a request came from, for events, their mails and the activity of accounts. */
export function originOf(request: Request) {
  const { id, method, peer, route } = request
  const agent = request.header('user-agent') ?? ''
  return { peer, agent, request: id, route: `${method} ${route}` }
}
