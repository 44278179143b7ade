import type { OpenIdSignIn } from 'framework/auth'
import { HttpError } from 'framework/http'
import type { Handler, Request } from 'framework/http'
import { refuse, succeed } from '../../accounts/form-responses.ts'
import type { Services } from '../../services.ts'
import { originOf } from '../auth/emit-auth-event.ts'
import { issuerOf, leadTo, refuseUnavailable, signInsPage } from '../auth/open-id.ts'

type Named = { name: string }

/** Shows the sites that the account is, or can be, connected with. */
export function showSignIns({ pages }: Services, openId: OpenIdSignIn): Handler {
  return async (request, response) => {
    const list = await openId.accounts.list(identityOf(request).id)
    const sites = list.map(({ issuer: { name, label }, since }) => ({ name, label, since }))
    return pages.show(request, response, 'account/sign-ins', { sites })
  }
}

/** Sends the owner to another site, to connect the account there with this one. */
export function connectSite(services: Services, openId: OpenIdSignIn): Handler<Named> {
  return async (request, response) => {
    const { id, verified } = identityOf(request)
    if (verified !== true) {
      const message = 'Please verify your e-mail first.'
      return refuse(request, response, { to: signInsPage, message, status: 403 })
    }
    const issuer = issuerOf(openId, request)
    const url = await openId.begin(request, issuer, { link: id })
    if (url === null) return refuseUnavailable(request, response, issuer, signInsPage)
    return leadTo(services, request, response, issuer, url)
  }
}

/** Disconnects the account from another site, unless nobody could sign in afterwards. */
export function disconnectSite(openId: OpenIdSignIn): Handler<Named> {
  return async (request, response) => {
    const { session } = request
    const issuer = issuerOf(openId, request)
    const device = await session.get('device')
    const outcome = await openId.accounts.unlink(identityOf(request).id, issuer, {
      keep: session.digest,
      device: typeof device === 'string' ? device : null,
      ...originOf(request),
    })
    if (outcome === 'last') {
      const message = `You could not sign in any more without ${issuer.label}. Choose a password first.`
      return refuse(request, response, { to: signInsPage, message, status: 409 })
    }
    if (outcome === 'unlinked') session.regenerate()
    const message = `${issuer.label} is disconnected. Other devices were signed out.`
    return succeed(request, response, { to: signInsPage, message })
  }
}

function identityOf({ identity }: Request): NonNullable<Request['identity']> {
  if (identity === null) throw new HttpError(401)
  return identity
}
