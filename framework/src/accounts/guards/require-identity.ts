import type { RequestIdentity, Request } from '../../http/request/request.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import { singleChallenge } from './authenticating.ts'

/**
 * The signed-in account of a request. On a route with `Authentication` there always is one, which the type
 * of `request.identity` cannot know.
 * @throws HttpError 401 for a guest, or the way to sign in behind `signedIn.optional`.
 */
export function requireIdentity({ identity }: Pick<Request<never>, 'identity'>): RequestIdentity {
  if (identity !== null) return identity
  throw new SignInRequired()
}

/** Thrown where only a signed-in user may go on: a 401, or the way to sign in behind `Authentication`. */
export class SignInRequired extends HttpError {
  constructor() {
    const headers = { 'WWW-Authenticate': singleChallenge({}) }
    super(401, 'Please sign in first.', { expose: true, headers })
  }
}
