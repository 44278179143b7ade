import { normalEmail } from '../../email-address.ts'
import type { Accounts } from '../account-services.ts'
import { redirectTo, refuse, succeed, sendBack } from '../../../http/input/form-responses.ts'
import { readFields } from '../../../http/input/read-fields.ts'
import type { Handler } from '../../../http/router/route.ts'
import { checkRegistration } from '../account-forms.ts'
import { originOf } from './this-browser.ts'
import { HttpError } from '../../../http/errors/http-error.ts'

/** Signs a visitor in. A failure does not reveal which half of the credentials was wrong. */
export function login({ home, users, signIn, limits }: Accounts): Handler {
  return async (request, response) => {
    const fields = await readFields(request)
    const { email = '', password = '', remember = '' } = fields
    const { peer } = request
    const identity = await limits.signIns.run(request, normalEmail(email), () =>
      users.verify(email, password, { peer }),
    )
    if (identity === null) {
      signIn.refuse(request, email)
      const message = 'Invalid credentials.'
      return refuse(request, response, { to: '/login', message, status: 401, fields })
    }
    const outcome = await signIn.enter(request, response, identity, { remember: remember !== '' })
    if (outcome === 'pending') return redirectTo(request, response, '/login/factor')
    const to = await signIn.destination(request, home)
    return succeed(request, response, { to, message: 'Welcome back!' })
  }
}

const registration = '/register'

/** Creates an account, signs its owner in and sends the verification link. */
export function register(accounts: Accounts): Handler {
  const { activity, users, mails, limits, passwordRules, signIn } = accounts
  return async (request, response) => {
    const fields = await readFields(request)
    const { values, errors } = await checkRegistration(fields, passwordRules, accounts.fields)
    if (errors !== null) return sendBack(request, response, { to: registration, errors, fields })
    const { peer } = request
    const user = await users.enroll(values.email, values.password, {
      peer,
      fields: { language: request.language, ...values.fields },
      alongside: async (transaction, id) =>
        activity
          ?.within(transaction)
          .record({ user: id, event: 'Registered', ...originOf(request) }),
    })
    const identity = await users.fetch(values.email)
    // Also while its former owner can take it back, see `EmailChange`.
    if (user === null && (identity !== null || (await users.isReserved(values.email)))) {
      const taken = { email: ['This e-mail is already registered.'] }
      return sendBack(request, response, { to: registration, errors: taken, fields })
    }
    // It was deleted in the meantime, or could not be stored.
    if (identity === null) {
      const headers = { 'Retry-After': '5' }
      throw new HttpError(503, 'the account could not be stored', { headers })
    }
    // An address whose account was deleted, or got another e-mail, can be registered again and again.
    if (await limits.verificationMails.trySpend(identity.email)) {
      mails.verify(request, identity)
    }
    await signIn.enter(request, response, identity, { as: 'registered' })
    request.session.flash('mailed', true)
    return succeed(request, response, {
      to: accounts.options.after?.registration ?? '/account',
      message: 'Account created! Check your inbox for the verification link.',
    })
  }
}
