import { HttpError } from 'framework/http'
import type { Handler } from 'framework/http'
import { succeed } from '../../accounts/form-responses.ts'
import type { Services } from '../../services.ts'

/** Ends a session. */
export function revokeSession({ sessions }: Services): Handler<{ id: string }> {
  return async (request, response) => {
    const { identity, params } = request
    if (identity === null || !(await sessions.end(identity.id, params.id))) throw new HttpError(404)
    return succeed(request, response, { to: '/account', message: 'Session ended.' })
  }
}
