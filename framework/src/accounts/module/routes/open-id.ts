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
export const signInsPage = '/account/sign-ins'

type Named = { name: string }

/** Sends a guest to another site to sign in there. */
export function beginOpenId(accounts: Accounts, openId: OpenIdSignIn): Handler<Named> {
  return async (request, response) => {
    const issuer = issuerOf(openId, request)
    const url = await openId.begin(request, issuer)
    if (url === null) return refuseUnavailable(request, response, issuer, '/login')
    return leadTo(accounts, request, response, issuer, url)
  }
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
      const message = `Connected. You can now sign in with ${issuer.label}.`
      return succeed(request, response, { to: signInsPage, message })
    }
    const to = isLink ? signInsPage : '/login'
    return refuse(request, response, { to, ...describeRefusal(outcome, issuer) })
  }
}

/** The issuer in the path of a request. */
export function issuerOf(openId: OpenIdSignIn, { params }: Request<Named>): OpenIdIssuer {
  const issuer = openId.issuer(params.name)
  if (issuer === null) throw new HttpError(404)
  return issuer
}

/** Says that an issuer does not respond. */
export function refuseUnavailable(
  request: Request,
  response: Response,
  issuer: OpenIdIssuer,
  to: string,
): Response {
  return refuse(request, response, { to, ...describeRefusal('unavailable', issuer) })
}

/**
 * Leads to another site. Not by a redirect: browsers apply `form-action` of the content security policy to
 * where the response to a form redirects, and would stay.
 */
export async function leadTo(
  { pages }: Accounts,
  request: Request,
  response: Response,
  { label }: OpenIdIssuer,
  url: string,
): Promise<Response> {
  response.header('Cache-Control', 'no-store')
  if (wantsJson(request)) return response.json({ redirect: url })
  response.header('Refresh', `0; url=${url}`)
  return pages.show(request, response, 'accounts/leave', { label, url })
}

/** What the visitor is told, and the status for JSON clients. */
interface RefusalText {
  readonly message: string
  readonly status: number
}

/** Describes why somebody who came from another site was not signed in. */
function describeRefusal(refusal: OpenIdRefusal, { label }: OpenIdIssuer): RefusalText {
  return texts(label)[refusal]
}

function texts(label: string): Readonly<Record<OpenIdRefusal, RefusalText>> {
  return {
    denied: { message: `You did not continue with ${label}. Nothing was changed.`, status: 403 },
    failed: { message: `${label} could not confirm who you are. Please try again.`, status: 403 },
    unavailable: {
      message: `${label} does not respond right now. Try again in a minute, or sign in another way.`,
      status: 503,
    },
    expired: {
      message: 'That took too long, or was begun in another browser. Please try again.',
      status: 403,
    },
    email: {
      message:
        `No account here is connected with your ${label} account. Sign in another way, ` +
        `then connect ${label} in your settings.`,
      status: 403,
    },
    closed: { message: `There is no account here for your ${label} account.`, status: 403 },
    unverified: {
      message:
        'The e-mail of the account here was never verified. If it is yours, use ' +
        `“Forgot your password?”, sign in, and connect ${label} in your settings.`,
      status: 403,
    },
    taken: {
      message: `The account here is connected with another ${label} account.`,
      status: 403,
    },
    elsewhere: {
      message: `This ${label} account is connected with another account here.`,
      status: 409,
    },
  }
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
  return async (request, response) => {
    const { id } = accountOf(request)
    const issuer = issuerOf(openId, request)
    const url = await openId.begin(request, issuer, { link: id })
    if (url === null) return refuseUnavailable(request, response, issuer, signInsPage)
    return leadTo(accounts, request, response, issuer, url)
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
