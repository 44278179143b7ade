import { HttpError } from 'framework/http'
import type { Handler } from 'framework/http'
import { listPlaces } from '../../accounts/list-places.ts'
import type { Services } from '../../services.ts'

/** Shows the account and every place where it is signed in. */
export function showAccount(services: Services): Handler {
  const { pages, sessions, trust } = services
  const { openId } = services // part: oidc
  return async (request, response) => {
    const { identity, session } = request
    if (identity === null) throw new HttpError(401)
    const [own, devices, live] = await Promise.all([
      session.get('device'),
      trust.list(identity.id),
      sessions.list(identity.id, { current: session }),
    ])
    const places = listPlaces({ sessions: live, devices, own })
    return pages.show(request, response, 'account', {
      places,
      hasSites: openId !== null, // part: oidc
    })
  }
}
