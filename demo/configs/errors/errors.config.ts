import { env, scope } from 'framework'
import { errorInboxScope } from 'framework/errors'

// Who is told of errors, ERRORS_MAIL and ERRORS_WEBHOOK, and who may open /errors.
export default scope('errors', {
  ...errorInboxScope.variables,
  accounts: env.list('ERRORS_ACCOUNTS', {
    default: [],
    meaning: 'verified e-mails of accounts that may open /errors; empty turns it off',
  }),
})
