import type { Handler } from 'framework/http'
import { checkForgot } from '../../accounts/account-forms.ts'
import { fieldsOf, sendBack, succeed } from '../../accounts/form-answers.ts'
import type { Services } from '../../services.ts'

/** Sends a link to choose a new password. The answer is the same whether there is an account or not. */
export function forgot({ letters }: Services): Handler {
  return async (request, response) => {
    const fields = await fieldsOf(request)
    const { values, errors } = checkForgot(fields)
    if (errors !== null) return sendBack(request, response, { to: '/forgot', errors, fields })
    letters.recover(request, values.email)
    request.session.flash('sent', values.email)
    const message = 'If that e-mail exists, we sent a password reset link.'
    return succeed(request, response, { to: '/forgot', message })
  }
}
