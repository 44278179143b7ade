import { HttpError } from 'framework/http'
import type { Handler } from 'framework/http'
import { listPlaces } from '../../accounts/list-places.ts'
import { listWaysIn } from '../../accounts/ways-in.ts'
import type { Services } from '../../services.ts'

/** Shows the account and every place where it is signed in. */
export function showAccount(services: Services): Handler {
  const { clock, pages, sessions, trust } = services
  return async (request, response) => {
    const { identity, session } = request
    if (identity === null) throw new HttpError(401)
    const [own, sent, devices, live] = await Promise.all([
      session.get('device'),
      session.flash('mailed'),
      trust.list(identity.id),
      sessions.list(identity.id, { current: session }),
    ])
    const places = listPlaces({ sessions: live, devices, own })
    const isReset = (await session.get('reset')) === identity.id
    return pages.show(request, response, 'account', {
      places,
      sent,
      ways: isReset ? await listWaysIn(services, identity.id, { now: clock(), own }) : [],
      due: await services.deletion.due(identity.id), // part: account-data
    })
  }
}
