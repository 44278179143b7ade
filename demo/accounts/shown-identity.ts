import { displayEmail } from 'framework/auth'
import type { RequestIdentity } from 'framework/http'

/** Who is signed in, as pages show it. */
export function shownIdentity(identity: RequestIdentity | null): RequestIdentity | null {
  if (identity?.email === undefined) return identity
  return { ...identity, email: displayEmail(identity.email) }
}
