import { HttpError } from 'framework/http'
import type { Handler } from 'framework/http'
import { succeed } from '../../accounts/form-responses.ts'
import type { Services } from '../../services.ts'
import { foreignId } from './foreign-id.ts'

/** Ends a session. */
export function revokeSession({ sessions }: Services): Handler<{ id: string }> {
  return async (request, response) => {
    const { identity, params } = request
    if (identity === null) throw new HttpError(401)
    if (!(await sessions.end(identity.id, params.id))) throw foreignId(request)
    return succeed(request, response, { to: '/account', message: 'Session ended.' })
  }
}
