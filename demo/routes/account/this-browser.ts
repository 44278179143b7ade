import { requireIdentity } from 'framework/auth'
import type { ChangeOptions, EndOthersOptions } from 'framework/auth'
import { HttpError } from 'framework/http'
import type { Request } from 'framework/http'
import { originOf } from '../auth/emit-auth-event.ts'

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
