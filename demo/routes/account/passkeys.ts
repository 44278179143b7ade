import { HttpError, readFields, refuse, succeed } from 'framework/http'
import type { Handler } from 'framework/http'
import { describeAgent } from '../../accounts/describe-agent.ts'
import type { Services } from '../../services.ts'
import { foreignId } from '../auth/foreign-id.ts'
import { accountOf, keepThisBrowser } from './this-browser.ts'

const page = '/account/passkeys'

/** Shows the passkeys of the account, and the form that adds one. */
export function showPasskeys({ pages, passkeys }: Services): Handler {
  return async (request, response) => {
    const known = await passkeys.list(accountOf(request).id)
    const { name: suggested } = describeAgent(request.header('user-agent') ?? '')
    const { isUsable } = passkeys
    const [port = ''] = /:\d+$/.exec(request.host) ?? []
    const local = `http://localhost${port}`
    const data = { passkeys: known, suggested, isUsable, local }
    return pages.show(request, response, 'account/passkeys', data)
  }
}

/** What the browser asks the authenticator for, to make a passkey. */
export function creationOptions({ passkeys }: Services): Handler {
  return async (request, response) => {
    const { digest } = request.session
    if (digest === null) throw new HttpError(401)
    const options = await passkeys.creationOptions(accountOf(request), digest)
    if (options !== null) return response.json(options)
    const error = 'You have too many passkeys. Remove one that you no longer use.'
    return response.status(409).json({ error })
  }
}

/** Adds the passkey that the browser has made. */
export function addPasskey({ confirmation, passkeys }: Services): Handler {
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
export function renamePasskey({ passkeys }: Services): Handler<{ id: string }> {
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
export function removePasskey({ passkeys }: Services): Handler<{ id: string }> {
  return async (request, response) => {
    const { id } = accountOf(request)
    const kept = await keepThisBrowser(request)
    if (!(await passkeys.remove(id, request.params.id, kept))) throw foreignId(request)
    request.session.regenerate()
    const message = 'Passkey removed. Other devices were signed out.'
    return succeed(request, response, { to: page, message })
  }
}
