import type { AccountsWith } from '../account-services.ts'
import { describeAgent } from '../describe-agent.ts'
import { foreignId, accountOf, keepThisBrowser } from './this-browser.ts'
import { HttpError } from '../../../http/errors/http-error.ts'
import { refuse, succeed } from '../../../http/input/form-responses.ts'
import { readFields } from '../../../http/input/read-fields.ts'
import type { Handler } from '../../../http/router/route.ts'

type Parts = AccountsWith<'passkeys' | 'passkeySignIn'>

const page = '/account/passkeys'

/** Shows the passkeys of the account, and the form that adds one. */
export function showPasskeys({ pages, passkeys }: Parts): Handler {
  return async (request, response) => {
    const known = await passkeys.list(accountOf(request).id)
    const { name: suggested } = describeAgent(request.header('user-agent') ?? '', request.t)
    const [port = ''] = /:\d+$/.exec(request.host) ?? []
    const local = `http://localhost${port}`
    const data = { passkeys: known, suggested, isUsable: passkeys.isUsable, local }
    return pages.show(request, response, 'accounts/passkeys', data)
  }
}

/** What the browser asks the authenticator for, to make a passkey. */
export function creationOptions({ passkeys }: Parts): Handler {
  return async (request, response) => {
    const { digest } = request.session
    if (digest === null) throw new HttpError(401)
    const options = await passkeys.creationOptions(accountOf(request), digest)
    if (options !== null) return response.json(options)
    const error = 'You have too many passkeys. Remove one that you no longer use.'
    return response.status(409).json({ error: request.t(error) })
  }
}

/** Adds the passkey that the browser has made. */
export function addPasskey({ confirmation, passkeys }: Parts): Handler {
  return async (request, response) => {
    const { id } = accountOf(request)
    const { credential = '', name = '' } = await readFields(request)
    const binding = request.session.digest ?? ''
    const kept = await keepThisBrowser(request)
    const added = await passkeys.register(id, { credential, name, binding }, kept)
    if (added === null) {
      const message = 'This passkey was not accepted. Please try again.'
      return refuse(request, response, { to: page, message, status: 422 })
    }
    request.session.regenerate()
    confirmation.remember(request, passkeys.name)
    return succeed(request, response, { to: page, message: 'Passkey added.' })
  }
}

/** Gives a passkey another name. */
export function renamePasskey({ passkeys }: Parts): Handler<{ id: string }> {
  return async (request, response) => {
    const { id } = accountOf(request)
    const { name = '' } = await readFields(request)
    if (name.trim() === '') {
      const message = 'Please enter a name.'
      return refuse(request, response, { to: page, message, status: 422 })
    }
    const kept = await keepThisBrowser(request)
    if (!(await passkeys.rename(id, request.params.id, name, kept))) throw foreignId(request)
    return succeed(request, response, { to: page, message: 'Passkey renamed.' })
  }
}

/** Removes a passkey. */
export function removePasskey({ passkeys }: Parts): Handler<{ id: string }> {
  return async (request, response) => {
    const { id } = accountOf(request)
    const kept = await keepThisBrowser(request)
    if (!(await passkeys.remove(id, request.params.id, kept))) throw foreignId(request)
    request.session.regenerate()
    const message = 'Passkey removed. Other devices were signed out.'
    return succeed(request, response, { to: page, message })
  }
}

/** What the browser asks the authenticator for, so that a visitor can sign in. */
export function loginOptions({ passkeySignIn }: Parts): Handler {
  return async (request, response) => response.json(await passkeySignIn.options(request))
}

/** Signs a visitor in with a passkey. */
export function loginWithPasskey({ home, passkeySignIn, signIn }: Parts): Handler {
  return async (request, response) => {
    const { credential = '', remember = '' } = await readFields(request)
    const options = { remember: remember !== '' }
    const outcome = await passkeySignIn.enter(request, response, credential, options)
    if (outcome === null) {
      const message = 'This passkey was not accepted. Try again, or sign in with your password.'
      return refuse(request, response, { to: '/login', message, status: 401 })
    }
    const to = await signIn.destination(request, home)
    return succeed(request, response, { to, message: 'Welcome back!' })
  }
}

/** The same for the second step of a sign-in. */
export function factorOptions({ passkeys, signIn }: Parts): Handler {
  return async (request, response) => {
    const pending = await signIn.pending(request)
    if (pending === null) throw new HttpError(401)
    const { user, challenge: binding } = pending
    return response.json(await passkeys.requestOptions({ purpose: 'sign-in', binding, user }))
  }
}

/** The same for somebody who is signed in and confirms that. */
export function confirmOptions({ passkeys }: Parts): Handler {
  return async ({ identity, session }, response) => {
    if (identity === null || session.digest === null) throw new HttpError(401)
    const { digest: binding } = session
    const options = { purpose: 'confirm', binding, user: identity.id } as const
    return response.json(await passkeys.requestOptions(options))
  }
}
