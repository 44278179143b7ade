import { normalEmail } from 'framework/auth'
import { ErrorInboxRoutes } from 'framework/errors'
import { HttpError } from 'framework/http'
import type { MiddlewareFunction } from 'framework/http'
import type { Services } from '../services.ts'

/** The error inbox and the jobs of the queues, for the accounts in ERRORS_ACCOUNTS. */
export const Errors = ErrorInboxRoutes(({ errors, mails, accounts, errorAccounts }: Services) =>
  errors === null
    ? null
    : {
        inbox: errors,
        queues: [mails],
        guard: [accounts.signedIn.optional, errorAdmins(errorAccounts)],
      },
)

/** Lets only these accounts through; for everybody else there is nothing here, and guests need not sign in. */
function errorAdmins(emails: readonly string[]): MiddlewareFunction {
  const admins = new Set(emails.map(normalEmail))
  return function errorAdmins({ identity }, _response, next) {
    // Anybody can register with an address; only its owner can verify it.
    const email = identity?.verified === true ? identity.email : undefined
    if (email === undefined || !admins.has(normalEmail(email))) throw new HttpError(404)
    return next()
  }
}
