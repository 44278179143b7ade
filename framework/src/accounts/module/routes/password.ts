import { AuthEvents } from '../../auth-events.ts'
import { Emitter } from '../../../events/emitter.ts'
import { checkChange } from '../account-forms.ts'
import type { Accounts } from '../account-services.ts'
import { originOf, accountOf, byThisBrowser } from './this-browser.ts'
import { HttpError } from '../../../http/errors/http-error.ts'
import { sendBack, succeed } from '../../../http/input/form-responses.ts'
import { readFields } from '../../../http/input/read-fields.ts'
import type { Response } from '../../../http/response/response.ts'
import type { Handler } from '../../../http/router/route.ts'

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
  const { clock, users, credentials, passwordRules, remember, limits } = accounts
  const { activity } = accounts
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
