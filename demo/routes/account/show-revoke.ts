import { HttpError } from 'framework/http'
import type { Handler } from 'framework/http'
import { placesOf } from '../../accounts/places-of.ts'
import type { Services } from '../../services.ts'

/** Asks before a device or session is signed out; this browser has a button of its own. */
export function showRevoke(services: Services): Handler {
  return async (request, response) => {
    const places = await placesOf(services, request)
    const place = places.find(({ action }) => action === request.path)
    if (place === undefined) throw new HttpError(404)
    return services.pages.show(request, response, 'account/revoke', { place })
  }
}
