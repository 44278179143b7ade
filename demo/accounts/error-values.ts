import { SessionGuard } from 'framework/auth'
import type { Users } from 'framework/auth'
import type { ErrorValues } from 'framework/http'
import type { Sessions } from 'framework/sessions'
import { shownIdentity } from './shown-identity.ts'

/**
 * Who is signed in, so that the error pages of members keep their navigation. Sessions are only read:
 * a device that could bring one back waits for a page that may send it its next token.
 */
export function errorValues({
  sessions,
  users,
}: {
  sessions: Sessions
  users: Users
}): ErrorValues {
  const members = new SessionGuard({ load: (id) => users.find(id) })
  return async (request) => {
    // A limit refuses before anybody has looked for a session.
    request.sessions ??= sessions
    if (request.identity === null) await members.authenticate(request)
    return { identity: shownIdentity(request.identity) }
  }
}
