import { displayEmail } from 'framework/auth'
import type { RequestIdentity } from 'framework/http'

/** The signed-in identity with its e-mail in readable form. */
export function displayIdentity(identity: RequestIdentity | null): RequestIdentity | null {
  if (identity?.email === undefined) return identity
  return { ...identity, email: displayEmail(identity.email) }
}
