import type { EndOthersOptions } from 'framework/auth'
import { HttpError } from 'framework/http'
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
export function accountOf({ identity }: Pick<Request, 'identity'>): { id: string; email: string } {
  if (identity === null) throw new HttpError(401)
  return { id: identity.id, email: identity.email ?? identity.id }
}
