import type { Handler } from 'framework/http'
import { placesOf } from '../../accounts/places-of.ts'
import type { Services } from '../../services.ts'

/** Shows the account and every place where it is signed in. */
export function showAccount(services: Services): Handler {
  return async (request, response) => {
    const places = await placesOf(services, request)
    return services.pages.show(request, response, 'account', { places })
  }
}
