import { env, scope } from 'framework'
import { errorInboxScope } from 'framework/errors'

// ERRORS_MAIL, and who may open /errors.
export default scope('errors', {
  ...errorInboxScope.variables,
  accounts: env.list('ERRORS_ACCOUNTS', {
    default: [],
    meaning: 'verified e-mails of accounts that may open /errors; empty turns it off',
  }),
})
