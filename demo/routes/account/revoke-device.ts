import { HttpError, succeed } from 'framework/http'
import type { Handler } from 'framework/http'
import type { Services } from '../../services.ts'
import { foreignId } from '../auth/foreign-id.ts'
import { byThisBrowser } from './this-browser.ts'

/** Forgets a device and ends every session it started. */
export function revokeDevice({ credentials, remember }: Services): Handler<{ id: string }> {
  return async (request, response) => {
    const { identity, params, session } = request
    if (identity === null) throw new HttpError(401)
    const isEnded = await credentials.endDevice(identity.id, params.id, byThisBrowser(request))
    if (!isEnded) throw foreignId(request)
    if ((await session.get('device')) === params.id) remember.forget(response)
    return succeed(request, response, { to: '/account', message: 'Device signed out.' })
  }
}
