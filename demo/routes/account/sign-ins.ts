import type { OpenIdSignIn } from 'framework/auth'
import { refuse, succeed } from 'framework/http'
import type { Handler } from 'framework/http'
import type { Services } from '../../services.ts'
import { issuerOf, leadTo, refuseUnavailable, signInsPage } from '../auth/open-id.ts'
import { accountOf, keepThisBrowser } from './this-browser.ts'

type Named = { name: string }

/** Shows the sites that the account is, or can be, connected with. */
export function showSignIns({ pages }: Services, openId: OpenIdSignIn): Handler {
  return async (request, response) => {
    const list = await openId.accounts.list(accountOf(request).id)
    const sites = list.map(({ issuer: { name, label }, since }) => ({ name, label, since }))
    return pages.show(request, response, 'account/sign-ins', { sites })
  }
}

/** Sends the owner to another site, to connect the account there with this one. */
export function connectSite(services: Services, openId: OpenIdSignIn): Handler<Named> {
  return async (request, response) => {
    const { id } = accountOf(request)
    const issuer = issuerOf(openId, request)
    const url = await openId.begin(request, issuer, { link: id })
    if (url === null) return refuseUnavailable(request, response, issuer, signInsPage)
    return leadTo(services, request, response, issuer, url)
  }
}

/** Disconnects the account from another site, unless nobody could sign in afterwards. */
export function disconnectSite(openId: OpenIdSignIn): Handler<Named> {
  return async (request, response) => {
    const issuer = issuerOf(openId, request)
    const { id } = accountOf(request)
    const outcome = await openId.accounts.unlink(id, issuer, await keepThisBrowser(request))
    if (outcome === 'last') {
      const message = `You could not sign in any more without ${issuer.label}. Choose a password first.`
      return refuse(request, response, { to: signInsPage, message, status: 409 })
    }
    if (outcome === 'unlinked') request.session.regenerate()
    const message = `${issuer.label} is disconnected. Other devices were signed out.`
    return succeed(request, response, { to: signInsPage, message })
  }
}
