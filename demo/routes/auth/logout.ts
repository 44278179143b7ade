import { redirectTo, succeed } from 'framework/http'
import type { Handler } from 'framework/http'
import type { Services } from '../../services.ts'

/** Signs a visitor out and forgets the device. Guests are just redirected. */
export function logout({ signIn, visitors }: Services): Handler {
  return async (request, response) => {
    const wasSignedIn = await visitors.authenticate(request, response)
    await signIn.leave(request, response)
    if (!wasSignedIn) return redirectTo(request, response, '/login')
    return succeed(request, response, { to: '/login', message: 'Signed out.' })
  }
}
