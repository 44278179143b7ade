import { allow, normalEmail } from 'framework/auth'
import type { Middleware, RequestIdentity } from 'framework/http'

/** Lets only these accounts through; for everybody else there is nothing here. */
export function errorAdmins(emails: readonly string[]): Middleware {
  const admins = new Set(emails.map(normalEmail))
  // Anybody can register with an address; only its owner can verify it.
  const isErrorAdmin = ({ email, verified }: RequestIdentity): boolean =>
    verified === true && email !== undefined && admins.has(normalEmail(email))
  return allow(isErrorAdmin, { private: true })
}
