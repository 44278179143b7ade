import type { OpenIdIssuer, OpenIdSignIn } from 'framework/auth'
import { HttpError, redirectTo, refuse, succeed, wantsJson } from 'framework/http'
import type { Handler, Request, Response } from 'framework/http'
import { describeRefusal } from '../../accounts/open-id-refusals.ts'
import type { Services } from '../../services.ts'

/** The page on which an account is connected with other sites. */
export const signInsPage = '/account/sign-ins'

type Named = { name: string }

/** Sends a guest to another site to sign in there. */
export function beginOpenId(services: Services, openId: OpenIdSignIn): Handler<Named> {
  return async (request, response) => {
    const issuer = issuerOf(openId, request)
    const url = await openId.begin(request, issuer)
    if (url === null) return refuseUnavailable(request, response, issuer, '/login')
    return leadTo(services, request, response, issuer, url)
  }
}

/** Signs in, or connects the account, when the other site has sent the visitor back. */
export function finishOpenId({ signIn }: Services, openId: OpenIdSignIn): Handler<Named> {
  return async (request, response) => {
    const issuer = issuerOf(openId, request)
    // What only looks at the address must not use it up.
    if (request.method === 'HEAD') return response.status(204).empty()
    const { outcome, isLink } = await openId.finish(request, response, issuer)
    if (outcome === 'pending') return redirectTo(request, response, '/login/factor')
    if (outcome === 'complete') {
      const to = await signIn.destination(request, '/account')
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
  { pages }: Services,
  request: Request,
  response: Response,
  { label }: OpenIdIssuer,
  url: string,
): Promise<Response> {
  response.header('Cache-Control', 'no-store')
  if (wantsJson(request)) return response.json({ redirect: url })
  response.header('Refresh', `0; url=${url}`)
  return pages.show(request, response, 'leave', { label, url })
}
