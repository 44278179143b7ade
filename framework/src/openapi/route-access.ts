import { Signed } from '../http/urls/signed.ts'
import { RateLimit } from '../http/middlewares/rate-limit.ts'
import { isSafe } from '../http/request/request.ts'
import type { Middleware } from '../http/router/middleware.ts'
import { runsIn } from '../http/router/order-chain.ts'
import { Phases } from '../http/router/phases.ts'
import { Sessions } from '../http/session/sessions.ts'
import { Authentication } from '../accounts/guards/authentication.ts'
import { Bearer, RequiredScopes } from '../accounts/guards/bearer.ts'
import { Confirmed } from '../accounts/guards/confirmed.ts'
import type { Guard } from '../accounts/guards/guard.ts'
import { Verified } from '../accounts/guards/verified.ts'
import { PolicyGuard } from '../accounts/guards/allow.ts'

/** The schemes that a request must fulfil together, each with its scopes. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

/** Who may use a route, as its middlewares tell. */
export interface RouteAccess {
  /** Alternatives; none if anybody may. */
  readonly security: readonly SecurityRequirement[]
  /** The statuses of refusals. */
  readonly statuses: readonly number[]
}

/** What the middlewares around a route ask for. Functions and middlewares of your own do not tell. */
export function routeAccess(method: string, middlewares: readonly Middleware[]): RouteAccess {
  const statuses = middlewares.flatMap(refusalsOf)
  const scopes = middlewares.flatMap((one) => (one instanceof RequiredScopes ? one.scopes : []))
  const guarded = middlewares.filter((one) => one instanceof Authentication)
  // Each of them must let the request through.
  const security = guarded.reduce<readonly SecurityRequirement[]>(
    (found, { guards }) => allOf(found, alternatives(guards, scopes)),
    [{}],
  )
  const needsToken = !isSafe(method) && middlewares.some((one) => runsIn(one, Phases.Token))
  const withToken = needsToken ? security.map(requireToken) : security
  const asked = withToken.filter((one) => Object.keys(one).length > 0)
  return { security: asked, statuses: needsToken ? [...statuses, 403] : statuses }
}

function refusalsOf(middleware: Middleware): readonly number[] {
  if (middleware instanceof Authentication) {
    return middleware.guards.some((guard) => guard instanceof Bearer) ? [401, 429] : [401]
  }
  if (middleware instanceof PolicyGuard) return [middleware.status]
  if (middleware instanceof Confirmed) return [401, 403]
  if (middleware instanceof RateLimit) return [429]
  const refuses = [RequiredScopes, Verified, Signed].some((kind) => middleware instanceof kind)
  return refuses ? [403] : []
}

function alternatives(
  guards: readonly Guard[],
  scopes: readonly string[],
): readonly SecurityRequirement[] {
  const found = new Map(
    guards.map((guard) => [schemeOf(guard), guard instanceof Bearer ? scopes : []]),
  )
  return [...found].map(([scheme, needed]) => ({ [scheme]: [...new Set(needed)] }))
}

function allOf(
  some: readonly SecurityRequirement[],
  others: readonly SecurityRequirement[],
): readonly SecurityRequirement[] {
  return some.flatMap((one) => others.map((other) => ({ ...one, ...other })))
}

/** The name of the scheme of a guard: `session`, `bearer`, or that of another kind of credentials. */
export function schemeOf({ scheme = 'Cookie' }: Pick<Guard, 'scheme'>): string {
  return scheme === 'Cookie' ? 'session' : scheme.toLowerCase()
}

// A request with an API token needs none, since no browser sends one by itself.
function requireToken(requirement: SecurityRequirement): SecurityRequirement {
  return 'bearer' in requirement ? requirement : { session: [], ...requirement, csrf: [] }
}

/** A security scheme of the document. */
export type SecurityScheme = Readonly<Record<string, string>>

/** The schemes that these requirements name, sorted. */
export function securitySchemes(
  requirements: readonly SecurityRequirement[],
  middlewares: readonly Middleware[],
): Readonly<Record<string, SecurityScheme>> {
  const names = [...new Set(requirements.flatMap((one) => Object.keys(one)))].toSorted()
  const sessions = middlewares.find((one) => one instanceof Sessions)
  return Object.fromEntries(
    names.map((name) => [name, schemeNamed(name, sessions?.cookieName ?? 'session')]),
  )
}

function schemeNamed(name: string, cookie: string): SecurityScheme {
  if (name === 'session') {
    const description = 'The session of somebody who has signed in with a browser.'
    return { type: 'apiKey', in: 'cookie', name: cookie, description }
  }
  if (name === 'csrf') {
    const description =
      'The token of the session, which pages of the site have. It shows that a request comes from one of ' +
      'them. A form may send it in its field `_token` instead.'
    return { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description }
  }
  return { type: 'http', scheme: name }
}
