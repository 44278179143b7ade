import { HttpError } from 'framework/http'
import type { Handler } from 'framework/http'
import { succeed } from '../../accounts/form-responses.ts'
import type { Services } from '../../services.ts'
import { originOf } from '../auth/emit-auth-event.ts'

/** Ends every session and device of the account except those of this browser. */
export function signOutOthers({ credentials }: Services): Handler {
  return async (request, response) => {
    const { identity, session } = request
    if (identity === null) throw new HttpError(401)
    const device = await session.get('device')
    await credentials.endOthers(identity.id, {
      keep: session.digest,
      device: typeof device === 'string' ? device : null,
      ...originOf(request),
    })
    return succeed(request, response, { to: '/account', message: 'Signed out everywhere else.' })
  }
}
