import { requireIdentity } from 'framework/auth'
import type { EndOthersOptions } from 'framework/auth'
import type { Request } from 'framework/http'
import { originOf } from '../auth/emit-auth-event.ts'

/** Says that the session and device of this browser stay when the others end. */
export async function keepThisBrowser(request: Request): Promise<EndOthersOptions> {
  const device = await request.session.get('device')
  return {
    keep: request.session.digest,
    device: typeof device === 'string' ? device : null,
    ...originOf(request),
  }
}

/** The account of a signed-in visitor. */
export function accountOf(request: Pick<Request, 'identity'>): { id: string; email: string } {
  const { id, email = id } = requireIdentity(request)
  return { id, email }
}
