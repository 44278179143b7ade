import { AuthEvents } from '../../auth-events.ts'
import { Emitter } from '../../../events/emitter.ts'
import { checkChange, checkReset, checkForgot } from '../account-forms.ts'
import type { Accounts } from '../account-services.ts'
import { originOf, accountOf, byThisBrowser } from './this-browser.ts'
import { HttpError } from '../../../http/errors/http-error.ts'
import { sendBack, succeed, refuse } from '../../../http/input/form-responses.ts'
import { readFields } from '../../../http/input/read-fields.ts'
import type { Response } from '../../../http/response/response.ts'
import type { Handler } from '../../../http/router/route.ts'
import { tokenOf } from './link.ts'
import type { LinkParams } from './link.ts'
import { Purposes } from '../../tokens/token.ts'
import { normalEmail } from '../../email-address.ts'

const form = '/password'

/** Shows the form, or how to get a first password. */
export function showPassword({ pages, users }: Accounts): Handler {
  return async (request, response) => {
    const has = await users.hasPassword(accountOf(request).id)
    return pages.show(request, response, 'accounts/password', { has })
  }
}

/** Changes a password and signs out every other device. */
export function changePassword(accounts: Accounts): Handler {
  const { activity, clock, users, credentials, passwordRules, remember, limits } = accounts
  return async (request, response) => {
    const { identity, session, peer } = request
    if (identity === null) throw new HttpError(401)
    const fields = await readFields(request)
    const wrong = async (): Promise<Response> => {
      const origin = originOf(request)
      await activity?.record({ user: identity.id, event: 'Failed', method: 'password', ...origin })
      Emitter.Instance.emit(AuthEvents.Failed, {
        user: identity.id,
        ...originOf(request),
        at: Math.floor(clock()),
      })
      const errors = { current: ['Current password is incorrect.'] }
      return sendBack(request, response, { to: form, errors, fields })
    }
    const { current = '' } = fields
    const check = (): Promise<boolean> =>
      limits.passwordChecks.run(request, identity.email ?? identity.id, () =>
        users.check(identity, current, { peer }),
      )
    // Checked before the new password, so that a wrong current one reveals nothing else.
    if (current !== '' && !(await check())) return wrong()
    const { values, errors } = await checkChange(fields, identity.email ?? '', passwordRules)
    if (errors !== null) return sendBack(request, response, { to: form, errors, fields })
    const by = byThisBrowser(request)
    const isChanged = await credentials.change(identity, values.password, by)
    // Another browser has changed the password in the meantime.
    if (!isChanged) return wrong()
    session.regenerate()
    session.delete('device')
    remember.forget(response)
    const message = 'Password changed. Other devices were signed out.'
    return succeed(request, response, { to: '/account', message })
  }
}

/** The response to a link that was used or has expired. */
const expiredReset = {
  to: '/forgot',
  message: 'This reset link is invalid or has expired.',
  status: 403,
} as const

/** Sets a new password. A form with errors does not use up the link. */
export function reset(accounts: Accounts): Handler<LinkParams> {
  const { credentials, passwordRules, remember, tokens, users } = accounts
  return async (request, response) => {
    const token = tokenOf(request)
    const owner = await tokens.owner(token, Purposes.Recovery)
    const identity = owner === null ? null : await users.find(owner)
    if (identity === null) return refuse(request, response, expiredReset)
    const fields = await readFields(request)
    const { values, errors } = await checkReset(fields, identity.email, passwordRules)
    if (errors !== null) return sendBack(request, response, { to: request.path, errors, fields })
    const user = await credentials.reset(token, values.password, originOf(request))
    if (user === null) return refuse(request, response, expiredReset)
    // The link does not sign in: reading the mail must not be enough without the password.
    request.session.flush()
    request.session.regenerate()
    remember.forget(response)
    // After the sign-in the account page says what else opens the account.
    request.session.set('reset', user)
    const message = 'Password reset! Sign in with your new password.'
    return succeed(request, response, { to: '/login', message })
  }
}

/** Shows the form behind the link in the reset mail. Opening it does not use up the link. */
export function showReset({ tokens, users, pages }: Accounts): Handler<LinkParams> {
  return async (request, response) => {
    const owner = await tokens.owner(tokenOf(request), Purposes.Recovery)
    const identity = owner === null ? null : await users.find(owner)
    if (identity === null) return refuse(request, response, expiredReset)
    return pages.show(request, response, 'accounts/reset', { email: identity.email })
  }
}

/** Sends a link to choose a new password. The response is the same whether or not the account exists. */
export function forgot({ mails, limits }: Accounts): Handler {
  return async (request, response) => {
    const fields = await readFields(request)
    const { values, errors } = checkForgot(fields)
    if (errors !== null) return sendBack(request, response, { to: '/forgot', errors, fields })
    await limits.resetMails.spend(request, normalEmail(values.email) ?? values.email)
    await mails.recover(request, values.email)
    request.session.flash('sent', values.email)
    const message = 'If that e-mail exists, we sent a password reset link.'
    return succeed(request, response, { to: '/forgot', message })
  }
}
