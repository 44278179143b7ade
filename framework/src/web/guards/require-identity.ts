import { HttpError } from '../errors/http-error.ts'
import type { RequestIdentity } from '../request/request-identity.ts'
import type { Request } from '../request/request.ts'
import { singleChallenge } from './challenge-header.ts'

/**
 * The signed-in account of a request. On a route with `Authentication` there always is one, which the type
 * of `request.identity` cannot know.
 * @throws HttpError 401 for a guest.
 */
export function requireIdentity({ identity }: Pick<Request<never>, 'identity'>): RequestIdentity {
  if (identity !== null) return identity
  const headers = { 'WWW-Authenticate': singleChallenge({}) }
  throw new HttpError(401, 'Please sign in first.', { expose: true, headers })
}
