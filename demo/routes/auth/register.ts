import { HttpError, readFields, sendBack, succeed } from 'framework/http'
import type { Handler } from 'framework/http'
import { checkRegistration } from '../../accounts/account-forms.ts'
import type { Services } from '../../services.ts'
import { originOf } from './emit-auth-event.ts' // part: activity

const form = '/register'

/** Creates an account, signs its owner in and sends the verification link. */
export function register(services: Services): Handler {
  const { users, accountMails, limits, passwordRules, signIn } = services
  const { activity } = services // part: activity
  return async (request, response) => {
    const fields = await readFields(request)
    const { values, errors } = await checkRegistration(fields, passwordRules)
    if (errors !== null) return sendBack(request, response, { to: form, errors, fields })
    const { peer } = request
    const user = await users.enroll(values.email, values.password, {
      peer,
      // part: activity
      alongside: (transaction, id) =>
        activity
          .within(transaction)
          .record({ user: id, event: 'Registered', ...originOf(request) }),
      // end: activity
    })
    const identity = await users.fetch(values.email)
    // Also while its former owner can take it back, see `EmailChange`.
    if (user === null && (identity !== null || (await users.isReserved(values.email)))) {
      const taken = { email: ['This e-mail is already registered.'] }
      return sendBack(request, response, { to: form, errors: taken, fields })
    }
    // It was deleted in the meantime, or could not be stored.
    if (identity === null) {
      const headers = { 'Retry-After': '5' }
      throw new HttpError(503, 'the account could not be stored', { headers })
    }
    // An address whose account was deleted, or got another e-mail, can be registered again and again.
    if (await limits.verificationMails.trySpend(identity.email)) {
      accountMails.verify(request, identity)
    }
    await signIn.enter(request, response, identity, { as: 'registered' })
    request.session.flash('mailed', true)
    return succeed(request, response, {
      to: '/account',
      message: 'Account created! Check your inbox for the verification link.',
    })
  }
}
