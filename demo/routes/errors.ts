import { ErrorInboxRoutes } from 'framework/errors'
import { errorAdmins } from '../errors/error-admins.ts'
import type { Services } from '../services.ts'

/** The error inbox, for the accounts in ERRORS_ACCOUNTS. */
export const Errors = ErrorInboxRoutes(({ errors, accounts, errorAccounts }: Services) =>
  errors === null
    ? null
    : { inbox: errors, guard: [accounts.signedIn, errorAdmins(errorAccounts)] },
)
