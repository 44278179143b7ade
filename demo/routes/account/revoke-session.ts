import { HttpError, succeed } from 'framework/http'
import type { Handler } from 'framework/http'
import type { Services } from '../../services.ts'
import { foreignId } from '../auth/foreign-id.ts'
import { byThisBrowser } from './this-browser.ts'

/** Ends a session. */
export function revokeSession({ credentials, sessions }: Services): Handler<{ id: string }> {
  return async (request, response) => {
    const { identity, params } = request
    if (identity === null) throw new HttpError(401)
    const digest = await sessions.digestOf(identity.id, params.id)
    const by = byThisBrowser(request)
    const isEnded = digest !== null && (await credentials.endSession(identity.id, digest, by))
    if (!isEnded) throw foreignId(request)
    return succeed(request, response, { to: '/account', message: 'Session ended.' })
  }
}
