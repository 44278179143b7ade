import { HttpError, readFields, refuse, succeed } from 'framework/http'
import type { Handler } from 'framework/http'
import type { Services } from '../../services.ts'

/** What the browser asks the authenticator for, so that a visitor can sign in. */
export function loginOptions({ passkeySignIn }: Services): Handler {
  return async (request, response) => response.json(await passkeySignIn.options(request))
}

/** Signs a visitor in with a passkey. */
export function loginWithPasskey({ passkeySignIn, signIn }: Services): Handler {
  return async (request, response) => {
    const { credential = '', remember = '' } = await readFields(request)
    const options = { remember: remember !== '' }
    const outcome = await passkeySignIn.enter(request, response, credential, options)
    if (outcome === null) {
      const message = 'This passkey was not accepted. Try again, or sign in with your password.'
      return refuse(request, response, { to: '/login', message, status: 401 })
    }
    const to = await signIn.destination(request, '/account')
    return succeed(request, response, { to, message: 'Welcome back!' })
  }
}

/** The same for the second step of a sign-in. */
export function factorOptions({ passkeys, signIn }: Services): Handler {
  return async (request, response) => {
    const pending = await signIn.pending(request)
    if (pending === null) throw new HttpError(401)
    const { user, challenge: binding } = pending
    return response.json(await passkeys.requestOptions({ purpose: 'sign-in', binding, user }))
  }
}

/** The same for somebody who is signed in and confirms that. */
export function confirmOptions({ passkeys }: Services): Handler {
  return async ({ identity, session }, response) => {
    if (identity === null || session.digest === null) throw new HttpError(401)
    const { digest: binding } = session
    const options = { purpose: 'confirm', binding, user: identity.id } as const
    return response.json(await passkeys.requestOptions(options))
  }
}
