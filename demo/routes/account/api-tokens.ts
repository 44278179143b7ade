import { requireIdentity } from 'framework/auth'
import { readFields, refuse, sendBack, succeed, wantsJson } from 'framework/http'
import type { Handler, Request, Response } from 'framework/http'
import { checkApiToken, tokenDays } from '../../accounts/api-token-form.ts'
import { apiScopes } from '../../accounts/api-scopes.ts'
import type { Services } from '../../services.ts'
import { foreignId } from '../auth/foreign-id.ts'
import { byThisBrowser } from './this-browser.ts'

const page = '/account/tokens'

/** Shows the API tokens of the account, and the form that creates one. */
export function showTokens(services: Services): Handler {
  return (request, response) => showPage(services, request, response, null)
}

/** Creates an API token and shows it, once. */
export function createToken(services: Services): Handler {
  return async (request, response) => {
    const { id } = requireIdentity(request)
    const fields = await readFields(request)
    const { values, errors } = checkApiToken(fields)
    if (errors !== null) return sendBack(request, response, { to: page, errors, fields })
    const made = await services.apiTokens.create(id, values, byThisBrowser(request))
    if (made === null) {
      const message = 'You have too many tokens. Revoke one that you no longer need.'
      return refuse(request, response, { to: page, message, status: 409 })
    }
    const { value, token } = made
    response.header('Cache-Control', 'no-store')
    if (wantsJson(request)) return response.json({ token: value, expires: token.expires })
    // In the response itself rather than after a redirect: the token is stored nowhere.
    return showPage(services, request, response, { value, name: token.name })
  }
}

/** Revokes an API token. */
export function revokeToken({ apiTokens }: Services): Handler<{ id: string }> {
  return async (request, response) => {
    const { id } = requireIdentity(request)
    const isRevoked = await apiTokens.revoke(id, request.params.id, byThisBrowser(request))
    if (!isRevoked) throw foreignId(request)
    return succeed(request, response, { to: page, message: 'Token revoked.' })
  }
}

async function showPage(
  { apiTokens, pages }: Services,
  request: Request,
  response: Response,
  created: { readonly value: string; readonly name: string } | null,
): Promise<Response> {
  const tokens = await apiTokens.list(requireIdentity(request).id)
  const scopes = Object.entries(apiScopes).map(([name, text]) => ({ name, text }))
  return pages.show(request, response, 'account/tokens', {
    tokens,
    scopes,
    days: tokenDays,
    created,
  })
}
