import { Purposes } from 'framework/auth'
import { readFields, refuse, sendBack, succeed } from 'framework/http'
import type { Handler } from 'framework/http'
import { checkReset } from '../../accounts/account-forms.ts'
import type { Services } from '../../services.ts'
import { originOf } from './emit-auth-event.ts'
import type { LinkParams } from './link.ts'
import { tokenOf } from './link.ts'

/** The response to a link that was used or has expired. */
export const expiredReset = {
  to: '/forgot',
  message: 'This reset link is invalid or has expired.',
  status: 403,
} as const

/** Sets a new password. A form with errors does not use up the link. */
export function reset(services: Services): Handler<LinkParams> {
  const { credentials, passwordRules, remember, tokens, users } = services
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
