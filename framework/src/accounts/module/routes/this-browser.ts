import type { ChangeOptions, EndOthersOptions } from '../../changes/credentials-options.ts'
import { requireIdentity } from '../../guards/require-identity.ts'
import { HttpError } from '../../../http/errors/http-error.ts'
import type { Request } from '../../../http/request/request.ts'
import { SecurityEvents, emitSecurityEvent } from '../../../http/request/security-events.ts'

/** Says that the session of this browser asks. If it has ended meanwhile, nothing changes. */
export function byThisBrowser(request: Request): ChangeOptions & { readonly keep: string } {
  const { digest: keep } = request.session
  // Null would stand for a link or a command, which no session has to ask for.
  if (keep === null) throw new HttpError(401)
  return { keep, ...originOf(request) }
}

/** The same, and its device stays too when the others end. */
export async function keepThisBrowser(request: Request): Promise<EndOthersOptions> {
  const device = await request.session.get('device')
  return { ...byThisBrowser(request), device: typeof device === 'string' ? device : null }
}

/** The account of a signed-in visitor. */
export function accountOf(request: Pick<Request, 'identity'>): { id: string; email: string } {
  const { id, email = id } = requireIdentity(request)
  return { id, email }
}

/** The 404 for an id that is unknown or belongs to another account; it is in the security log. */
export function foreignId(request: Request): HttpError {
  emitSecurityEvent(SecurityEvents.ForeignId, request)
  return new HttpError(404)
}

/** Where a request came from, for events, their mails and the activity of accounts. */
export function originOf(request: Request): {
  readonly peer: string
  readonly agent: string
  readonly request: string
  readonly route: string
} {
  const { id, method, peer, route } = request
  const agent = request.header('user-agent') ?? ''
  return { peer, agent, request: id, route: `${method} ${route}` }
}
