import { allow } from 'framework/auth'
import { ErrorInboxRoutes } from 'framework/errors'
import type { Services } from '../services.ts'

/** The error inbox and the queues, for the one who runs the site. */
export const Errors = ErrorInboxRoutes(({ errors, queue, accounts }: Services) => ({
  inbox: errors,
  queues: [queue],
  guard: [
    accounts.signedIn,
    allow(({ email, verified }) => verified === true && email === 'member@example.com', {
      private: true,
    }),
  ],
}))
