import type { Accounts } from '../account-services.ts'
import type { OpenIdIssuer } from '../../openid/open-id-issuer.ts'
import type { OpenIdSignIn } from '../../openid/open-id-sign-in.ts'
import { wantsJson } from '../../../http/errors/error-format.ts'
import { HttpError } from '../../../http/errors/http-error.ts'
import { redirectTo, refuse, succeed } from '../../../http/input/form-responses.ts'
import type { Request } from '../../../http/request/request.ts'
import type { Response } from '../../../http/response/response.ts'
import type { Handler } from '../../../http/router/route.ts'
import type { OpenIdRefusal } from '../../openid/open-id-error.ts'
import { accountOf, keepThisBrowser } from './this-browser.ts'

/** The page on which an account is connected with other sites. */
const signInsPage = '/account/sign-ins'

type Named = { name: string }

/** Sends a guest to another site to sign in there. */
export function beginOpenId(accounts: Accounts, openId: OpenIdSignIn): Handler<Named> {
  return (request, response) => begin(accounts, openId, request, response, '/login')
}

/** Signs in, or connects the account, when the other site has sent the visitor back. */
export function finishOpenId({ home, signIn }: Accounts, openId: OpenIdSignIn): Handler<Named> {
  return async (request, response) => {
    const issuer = issuerOf(openId, request)
    // What only looks at the address must not use it up.
    if (request.method === 'HEAD') return response.status(204).empty()
    const { outcome, isLink } = await openId.finish(request, response, issuer)
    if (outcome === 'pending') return redirectTo(request, response, '/login/factor')
    if (outcome === 'complete') {
      const to = await signIn.destination(request, home)
      return succeed(request, response, { to, message: 'Welcome!' })
    }
    if (outcome === 'linked') {
      const values = { site: issuer.label }
      const message = request.t('Connected. You can now sign in with {site}.', values)
      return succeed(request, response, { to: signInsPage, message })
    }
    const to = isLink ? signInsPage : '/login'
    return refuse(request, response, { to, ...describeRefusal(outcome, issuer, request) })
  }
}

/** The issuer in the path of a request. */
function issuerOf(openId: OpenIdSignIn, { params }: Request<Named>): OpenIdIssuer {
  const issuer = openId.issuer(params.name)
  if (issuer === null) throw new HttpError(404)
  return issuer
}

/**
 * Leads to another site, to sign in or to connect an account. Not by a redirect: browsers apply `form-action`
 * of the content security policy to where the response to a form redirects, and would stay.
 */
async function begin(
  { pages }: Accounts,
  openId: OpenIdSignIn,
  request: Request<Named>,
  response: Response,
  to: string,
  link: string | null = null,
): Promise<Response> {
  const issuer = issuerOf(openId, request)
  const url = await openId.begin(request, issuer, { link })
  if (url === null) {
    return refuse(request, response, { to, ...describeRefusal('unavailable', issuer, request) })
  }
  response.header('Cache-Control', 'no-store')
  if (wantsJson(request)) return response.json({ redirect: url })
  response.header('Refresh', `0; url=${url}`)
  return pages.show(request, response, 'accounts/leave', { label: issuer.label, url })
}

/** Why somebody who came from another site was not signed in, and the status for JSON clients. */
function describeRefusal(
  refusal: OpenIdRefusal,
  { label: site }: OpenIdIssuer,
  { t }: Request,
): { readonly message: string; readonly status: number } {
  return { message: t(refusals[refusal], { site }), status: statuses[refusal] ?? 403 }
}

const statuses: Partial<Record<OpenIdRefusal, number>> = { unavailable: 503, elsewhere: 409 }
const refusals: Readonly<Record<OpenIdRefusal, string>> = {
  denied: 'You did not continue with {site}. Nothing was changed.',
  failed: '{site} could not confirm who you are. Please try again.',
  unavailable: '{site} does not respond right now. Try again in a minute, or sign in another way.',
  expired: 'That took too long, or was begun in another browser. Please try again.',
  email:
    'No account here is connected with your {site} account. Sign in another way, then connect {site} in your settings.',
  closed: 'There is no account here for your {site} account.',
  unverified:
    'The e-mail of the account here was never verified. If it is yours, use “Forgot your password?”, sign in, and connect {site} in your settings.',
  taken: 'The account here is connected with another {site} account.',
  elsewhere: 'This {site} account is connected with another account here.',
}

/** Shows the sites that the account is, or can be, connected with. */
export function showSignIns({ pages }: Accounts, openId: OpenIdSignIn): Handler {
  return async (request, response) => {
    const list = await openId.accounts.list(accountOf(request).id)
    const sites = list.map(({ issuer: { name, label }, since }) => ({ name, label, since }))
    return pages.show(request, response, 'accounts/sign-ins', { sites })
  }
}

/** Sends the owner to another site, to connect the account there with this one. */
export function connectSite(accounts: Accounts, openId: OpenIdSignIn): Handler<Named> {
  return (request, response) =>
    begin(accounts, openId, request, response, signInsPage, accountOf(request).id)
}

/** Disconnects the account from another site, unless nobody could sign in afterwards. */
export function disconnectSite(openId: OpenIdSignIn): Handler<Named> {
  return async (request, response) => {
    const issuer = issuerOf(openId, request)
    const { id } = accountOf(request)
    const { t } = request
    const site = { site: issuer.label }
    const outcome = await openId.accounts.unlink(id, issuer, await keepThisBrowser(request))
    if (outcome === 'last') {
      const why = t('You could not sign in any more without {site}. Choose a password first.', site)
      return refuse(request, response, { to: signInsPage, message: why, status: 409 })
    }
    if (outcome === 'unlinked') request.session.regenerate()
    const message = t('{site} is disconnected. Other devices were signed out.', site)
    return succeed(request, response, { to: signInsPage, message })
  }
}
