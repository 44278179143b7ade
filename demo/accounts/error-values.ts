import { SessionGuard } from 'framework/auth'
import type { Users } from 'framework/auth'
import type { ErrorValues, MetricsAccess } from 'framework/http'
import type { Sessions } from 'framework/sessions'
import { displayIdentity } from './display-identity.ts'

/**
 * Tells error pages who is signed in and may see what, so that they keep the navigation. A remember cookie is not used
 * here: an error response cannot send the next one.
 */
export function errorValues({
  metrics,
  sessions,
  users,
}: {
  metrics: MetricsAccess
  sessions: Sessions
  users: Users
}): ErrorValues {
  const members = new SessionGuard({ load: (id) => users.find(id) })
  return async (request) => {
    // A rate limit may refuse a request before the session middleware runs.
    request.sessions ??= sessions
    if (request.identity === null) await members.authenticate(request)
    return { identity: displayIdentity(request.identity), metrics: metrics.allows(request) }
  }
}
