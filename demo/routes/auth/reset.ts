import { Purposes } from 'framework/auth'
import type { Handler } from 'framework/http'
import { checkReset } from '../../accounts/account-forms.ts'
import { fieldsOf, refuse, sendBack, succeed } from '../../accounts/form-answers.ts'
import type { Services } from '../../services.ts'
import { originOf } from './events.ts'
import type { LinkParams } from './link.ts'
import { tokenOf } from './link.ts'

/** What a link says that was used up, or is too old. */
export const expiredReset = {
  to: '/forgot',
  message: 'This reset link is invalid or has expired.',
  status: 403,
} as const

/** Sets a new password. A form with mistakes leaves the link as good as it was. */
export function reset({ credentials, remember, tokens, users }: Services): Handler<LinkParams> {
  return async (request, response) => {
    const token = tokenOf(request)
    const owner = await tokens.owner(token, Purposes.Recovery)
    const identity = owner === null ? null : await users.find(owner)
    if (identity === null) return refuse(request, response, expiredReset)
    const fields = await fieldsOf(request)
    const { values, errors } = checkReset(fields, identity.email)
    if (errors !== null) return sendBack(request, response, { to: request.path, errors, fields })
    const user = await credentials.reset(token, values.password, originOf(request))
    if (user === null) return refuse(request, response, expiredReset)
    // Nobody is signed in by a link: whoever reads the mail must know the password too.
    request.session.flush()
    request.session.regenerate()
    remember.forget(response)
    const message = 'Password reset! Sign in with your new password.'
    return succeed(request, response, { to: '/login', message })
  }
}
