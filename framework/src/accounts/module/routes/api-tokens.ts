import { requireIdentity } from '../../guards/require-identity.ts'
import type { AccountsWith } from '../account-services.ts'
import { foreignId, byThisBrowser } from './this-browser.ts'
import { wantsJson } from '../../../http/errors/error-format.ts'
import { refuse, sendBack, succeed } from '../../../http/input/form-responses.ts'
import { readFields } from '../../../http/input/read-fields.ts'
import type { Request } from '../../../http/request/request.ts'
import type { Response } from '../../../http/response/response.ts'
import type { Handler } from '../../../http/router/route.ts'
import type { Fields } from '../account-forms.ts'
import { isOn } from '../accounts-options.ts'
import type { ApiScopes } from '../accounts-options.ts'
import type { CheckedInput, FieldErrors } from '../../../http/input/form-responses.ts'

type Parts = AccountsWith<'apiTokens'>

const page = '/account/tokens'

/** Shows the API tokens of the account, and the form that creates one. */
export function showTokens(accounts: Parts): Handler {
  return (request, response) => showPage(accounts, request, response, null)
}

/** Creates an API token and shows it, once. */
export function createToken(accounts: Parts): Handler {
  return async (request, response) => {
    const { id } = requireIdentity(request)
    const fields = await readFields(request)
    const { values, errors } = checkApiToken(fields, Object.keys(scopesOf(accounts)))
    if (errors !== null) return sendBack(request, response, { to: page, errors, fields })
    const made = await accounts.apiTokens.create(id, values, byThisBrowser(request))
    if (made === null) {
      const message = 'You have too many tokens. Revoke one that you no longer need.'
      return refuse(request, response, { to: page, message, status: 409 })
    }
    const { value, token } = made
    response.header('Cache-Control', 'no-store')
    if (wantsJson(request)) return response.json({ token: value, expires: token.expires })
    // In the response itself rather than after a redirect: the token is stored nowhere.
    return showPage(accounts, request, response, { value, name: token.name })
  }
}

/** Revokes an API token. */
export function revokeToken({ apiTokens }: Parts): Handler<{ id: string }> {
  return async (request, response) => {
    const { id } = requireIdentity(request)
    const isRevoked = await apiTokens.revoke(id, request.params.id, byThisBrowser(request))
    if (!isRevoked) throw foreignId(request)
    return succeed(request, response, { to: page, message: 'Token revoked.' })
  }
}

async function showPage(
  accounts: Parts,
  request: Request,
  response: Response,
  created: { readonly value: string; readonly name: string } | null,
): Promise<Response> {
  const { apiTokens, pages } = accounts
  const tokens = await apiTokens.list(requireIdentity(request).id)
  const scopes = Object.entries(scopesOf(accounts)).map(([name, text]) => ({ name, text }))
  const data = { tokens, scopes, days: tokenDays, created }
  return pages.show(request, response, 'accounts/tokens', data)
}

function scopesOf({ options: { apiTokens } }: Parts): ApiScopes {
  return isOn(apiTokens) ? apiTokens.scopes : {}
}

/** The lifetimes that the form offers, in days. */
const tokenDays: readonly number[] = [7, 30, 90, 365]

const secondsPerDay = 86_400
const maxNameLength = 100

/** Checks the form that creates an API token. Each scope is a field of its own. */
function checkApiToken(
  fields: Fields,
  known: readonly string[],
): CheckedInput<{ name: string; scopes: readonly string[]; ttl: number }> {
  const name = (fields['name'] ?? '').trim()
  const scopes = known.filter((scope) => (fields[scope] ?? '') !== '')
  const days = tokenDays.find((choice) => String(choice) === fields['days'])
  const errors: Record<string, readonly string[]> = {}
  if (name === '') errors['name'] = ['Please enter a name.']
  if (Array.from(name).length > maxNameLength) errors['name'] = ['This name is too long.']
  if (scopes.length === 0) errors['scopes'] = ['Choose at least one thing that it may do.']
  if (days === undefined) errors['days'] = ['Choose when it expires.']
  if (days === undefined || isAny(errors)) return { values: null, errors }
  return { values: { name, scopes, ttl: days * secondsPerDay }, errors: null }
}

function isAny(errors: FieldErrors): boolean {
  return Object.keys(errors).length > 0
}
