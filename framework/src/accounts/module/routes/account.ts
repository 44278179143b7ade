import type { Accounts, AccountsWith } from '../account-services.ts'
import { listWaysIn } from '../ways-in.ts'
import { HttpError } from '../../../http/errors/http-error.ts'
import type { Handler } from '../../../http/router/route.ts'
import { describeActivity } from '../describe-activity.ts'
import { InvalidArgumentException } from '../../../base/errors.ts'

/** Shows the account and every place where it is signed in. */
export function showAccount(accounts: Accounts): Handler {
  const { clock, pages } = accounts
  return async (request, response) => {
    const { identity, session } = request
    if (identity === null) throw new HttpError(401)
    const [own, sent, places] = await Promise.all([
      session.get('device'),
      session.flash('mailed'),
      accounts.places(identity.id, session),
    ])
    const isReset = (await session.get('reset')) === identity.id
    return pages.show(request, response, 'accounts/account', {
      places,
      sent,
      ways: isReset ? await listWaysIn(accounts, identity.id, { now: clock(), own }) : [],
      due: (await accounts.deletion?.due(identity.id)) ?? null,
    })
  }
}

/** Shows what happened to the account, newest first, a page at a time. */
export function showActivity({ activity, pages }: AccountsWith<'activity'>): Handler {
  return async (request, response) => {
    const { identity, query } = request
    if (identity === null) throw new HttpError(401)
    const cursor = query['cursor'] ?? null
    const list = await activity.list(identity.id, { cursor }).catch(ifMalformed)
    if (list === null) return response.redirect('/account/activity')
    const { rows, next } = list
    const events = rows.map((row) => describeActivity(row, identity.id))
    return pages.show(request, response, 'accounts/activity', { events, next })
  }
}

/** A cursor that somebody has typed starts again. */
function ifMalformed(error: unknown): null {
  if (error instanceof InvalidArgumentException) return null
  throw error
}
