import type { Accounts, AccountsWith } from '../account-services.ts'
import { listWaysIn } from '../ways-in.ts'
import { timeZones } from '../../../i18n/day.ts'
import { HttpError } from '../../../http/errors/http-error.ts'
import { sendBack, succeed } from '../../../http/input/form-responses.ts'
import { readFields } from '../../../http/input/read-fields.ts'
import type { Handler } from '../../../http/router/route.ts'
import { describeActivity } from '../describe-activity.ts'
import { accountOf } from './this-browser.ts'
import { InvalidArgumentException } from '../../../base/errors.ts'

/** Shows the account and every place where it is signed in. */
export function showAccount(accounts: Accounts): Handler {
  const { clock, pages } = accounts
  return async (request, response) => {
    const { identity, session, t } = request
    if (identity === null) throw new HttpError(401)
    const { id, timezone } = identity
    const [own, sent, places] = await Promise.all([
      session.get('device'),
      session.flash('mailed'),
      accounts.places(id, session, t),
    ])
    const isReset = (await session.get('reset')) === id
    return pages.show(request, response, 'accounts/account', {
      places,
      sent,
      ways: isReset ? await listWaysIn(accounts, id, { now: clock(), own, t }) : [],
      due: (await accounts.deletion?.due(id)) ?? null,
      zones: timeZones(),
      zone: timezone ?? '',
      now: clock(),
    })
  }
}

/** Changes the time zone of the account; without one it has that of the site. */
export function changeTimeZone({ users }: Accounts): Handler {
  return async (request, response) => {
    const { id } = accountOf(request)
    const fields = await readFields(request)
    const { timezone = '' } = fields
    if (timezone !== '' && !timeZones().includes(timezone)) {
      const errors = { timezone: ['There is no such time zone.'] }
      return sendBack(request, response, { to: '/account', errors, fields })
    }
    await users.assign(id, { timezone: timezone === '' ? null : timezone })
    return succeed(request, response, { to: '/account', message: 'Time zone changed.' })
  }
}

/** Changes the language of a visitor, and of the account if somebody is signed in. */
export function changeLanguage({ languages, users, visitors }: Accounts): Handler {
  return async (request, response) => {
    const { language = '', to = '/' } = await readFields(request)
    if (!languages.has(language)) throw new HttpError(400)
    await visitors.authenticate(request, response)
    languages.remember(response, language)
    if (request.identity !== null) await users.assign(request.identity.id, { language })
    return succeed(request, response, { to, message: 'Language changed.' })
  }
}

/** Shows what happened to the account, newest first, a page at a time. */
export function showActivity({ activity, pages }: AccountsWith<'activity'>): Handler {
  return async (request, response) => {
    const { id } = accountOf(request)
    const cursor = request.query['cursor'] ?? null
    const list = await activity.list(id, { cursor }).catch(ifMalformed)
    if (list === null) return response.redirect('/account/activity')
    const { rows, next } = list
    const events = rows.map((row) => describeActivity(row, id, request.t))
    return pages.show(request, response, 'accounts/activity', { events, next })
  }
}

/** A cursor that somebody has typed starts again. */
function ifMalformed(error: unknown): null {
  if (error instanceof InvalidArgumentException) return null
  throw error
}
