import { HttpError, readFields, sendBack, succeed } from 'framework/http'
import type { Handler, Response } from 'framework/http'
import { checkChange } from '../../accounts/account-forms.ts'
import type { Services } from '../../services.ts'
import { accountOf, byThisBrowser } from '../account/this-browser.ts'
import { emitAuthEvent } from './emit-auth-event.ts'
import { originOf } from './emit-auth-event.ts' // part: activity

const form = '/password'

/** Shows the form, or how to get a first password. */
export function showPassword({ pages, users }: Services): Handler {
  return async (request, response) => {
    const has = await users.hasPassword(accountOf(request).id)
    return pages.show(request, response, 'password', { has })
  }
}

/** Changes a password and signs out every other device. */
export function changePassword(services: Services): Handler {
  const { clock, users, credentials, passwordRules, remember, limits } = services
  const { activity } = services // part: activity
  return async (request, response) => {
    const { identity, session, peer } = request
    if (identity === null) throw new HttpError(401)
    const fields = await readFields(request)
    const wrong = async (): Promise<Response> => {
      // part: activity
      const origin = originOf(request)
      await activity.record({ user: identity.id, event: 'Failed', method: 'password', ...origin })
      // end: activity
      emitAuthEvent('Failed', request, { user: identity.id, at: clock() })
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
