import type { RequestIdentity } from '../../http/request/request-identity.ts'
import type { Request } from '../../http/request/request.ts'
import { SignInRequired } from './sign-in-required.ts'

/**
 * The signed-in account of a request. On a route with `Authentication` there always is one, which the type
 * of `request.identity` cannot know.
 * @throws HttpError 401 for a guest, or the way to sign in behind `signedIn.optional`.
 */
export function requireIdentity({ identity }: Pick<Request<never>, 'identity'>): RequestIdentity {
  if (identity !== null) return identity
  throw new SignInRequired()
}
