import { HttpError, refuse, succeed } from 'framework/http'
import type { Handler } from 'framework/http'
import type { Services } from '../../services.ts'

/** Sends the verification link again. */
export function resend({ users, accountMails, limits }: Services): Handler {
  return async (request, response) => {
    const identity = await users.find(request.identity?.id ?? '')
    if (identity === null) throw new HttpError(401)
    if (identity.verified) {
      const message = 'Your e-mail is already verified.'
      return refuse(request, response, { to: '/account', message, status: 403 })
    }
    await limits.verificationMails.spend(request, identity.email)
    accountMails.verify(request, identity)
    request.session.flash('mailed', true)
    const message = 'Verification link sent. Check your inbox.'
    return succeed(request, response, { to: '/account', message })
  }
}
