import { normalEmail } from 'framework/auth'
import { readFields, sendBack, succeed } from 'framework/http'
import type { Handler } from 'framework/http'
import { checkForgot } from '../../accounts/account-forms.ts'
import type { Services } from '../../services.ts'

/** Sends a link to choose a new password. The response is the same whether or not the account exists. */
export function forgot({ accountMails, limits }: Services): Handler {
  return async (request, response) => {
    const fields = await readFields(request)
    const { values, errors } = await checkForgot(fields)
    if (errors !== null) return sendBack(request, response, { to: '/forgot', errors, fields })
    await limits.resetMails.spend(request, normalEmail(values.email) ?? values.email)
    await accountMails.recover(request, values.email)
    request.session.flash('sent', values.email)
    const message = 'If that e-mail exists, we sent a password reset link.'
    return succeed(request, response, { to: '/forgot', message })
  }
}
