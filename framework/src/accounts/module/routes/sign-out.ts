import type { Accounts } from '../account-services.ts'
import { redirectTo, succeed } from '../../../http/input/form-responses.ts'
import type { Handler } from '../../../http/router/route.ts'
import { accountOf, keepThisBrowser, byThisBrowser, foreignId } from './this-browser.ts'

/** Signs a visitor out and forgets the device. Guests are just redirected. */
export function logout({ signIn, visitors }: Accounts): Handler {
  return async (request, response) => {
    const wasSignedIn = await visitors.authenticate(request, response)
    await signIn.leave(request, response)
    if (!wasSignedIn) return redirectTo(request, response, '/login')
    return succeed(request, response, { to: '/login', message: 'Signed out.' })
  }
}

/** Ends every session and device of the account except those of this browser. */
export function signOutOthers({ credentials }: Accounts): Handler {
  return async (request, response) => {
    await credentials.endOthers(accountOf(request).id, await keepThisBrowser(request))
    return succeed(request, response, { to: '/account', message: 'Signed out everywhere else.' })
  }
}

/** Forgets a device and ends every session it started. */
export function revokeDevice({ credentials, remember }: Accounts): Handler<{ id: string }> {
  return async (request, response) => {
    const { params, session } = request
    const { id: user } = accountOf(request)
    const isEnded = await credentials.endDevice(user, params.id, byThisBrowser(request))
    if (!isEnded) throw foreignId(request)
    if ((await session.get('device')) === params.id) remember.forget(response)
    return succeed(request, response, { to: '/account', message: 'Device signed out.' })
  }
}

/** Ends a session. */
export function revokeSession({ credentials, sessions }: Accounts): Handler<{ id: string }> {
  return async (request, response) => {
    const { id: user } = accountOf(request)
    const digest = await sessions.digestOf(user, request.params.id)
    const by = byThisBrowser(request)
    const isEnded = digest !== null && (await credentials.endSession(user, digest, by))
    if (!isEnded) throw foreignId(request)
    return succeed(request, response, { to: '/account', message: 'Session ended.' })
  }
}
