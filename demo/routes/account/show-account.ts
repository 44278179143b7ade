import type { Handler } from 'framework/http'
import { placesOf } from '../../accounts/places-of.ts'
import type { Services } from '../../services.ts'

/** Shows the account and every place where it is signed in. */
export function showAccount(services: Services): Handler {
  return async (request, response) => {
    const [places, sent] = await Promise.all([
      placesOf(services, request),
      request.session.flash('mailed'),
    ])
    return services.pages.show(request, response, 'account', { places, sent })
  }
}
