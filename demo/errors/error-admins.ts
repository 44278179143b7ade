import { normalEmail } from 'framework/auth'
import { HttpError } from 'framework/http'
import type { Middleware } from 'framework/http'

/** Lets only these accounts through; for everybody else there is nothing here. */
export function errorAdmins(emails: readonly string[]): Middleware {
  const admins = new Set(emails.map(normalEmail))
  return function errorAdmins({ identity }, _response, next) {
    // Anybody can register with an address; only its owner can verify it.
    const email = identity?.verified === true ? identity.email : undefined
    if (email === undefined || !admins.has(normalEmail(email))) throw new HttpError(404)
    return next()
  }
}
