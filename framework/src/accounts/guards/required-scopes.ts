import { ConfigurationError } from '../../base/errors.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Request } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import type { MiddlewareObject, MiddlewareOutcome, Next } from '../../http/router/middleware.ts'
import type { Middleware } from '../../http/router/middleware.ts'
import { Phases } from '../../http/router/phases.ts'
import type { MiddlewarePhase } from '../../http/router/phases.ts'
import { Authentication } from './authentication.ts'

/** The middleware of `Bearer.scopes`; `challenge` is the one of the guard. */
export class RequiredScopes implements MiddlewareObject {
  readonly phase: MiddlewarePhase = Phases.Guard
  readonly scopes: readonly string[]
  readonly #challenge: string

  constructor(scopes: readonly string[], challenge: string) {
    this.scopes = scopes
    this.#challenge = challenge
  }

  join(outer: readonly Middleware[]): void {
    if (!outer.some((middleware) => middleware instanceof Authentication)) throw unguarded()
  }

  process({ apiToken }: Request, _response: Response, next: Next): MiddlewareOutcome {
    if (apiToken === null) return next()
    const missing = this.scopes.filter((scope) => !apiToken.scopes.includes(scope))
    if (missing.length === 0) return next()
    const challenge = `${this.#challenge}, error="insufficient_scope"`
    throw insufficientScope(missing, challenge, this.scopes)
  }
}

function insufficientScope(
  missing: readonly string[],
  challenge: string,
  scopes: readonly string[],
): HttpError {
  const names = missing.join(' and ')
  const noun = missing.length === 1 ? 'scope' : 'scopes'
  return new HttpError(403, `This API token lacks the ${noun} ${names}.`, {
    expose: true,
    problem: true,
    headers: { 'WWW-Authenticate': `${challenge}, scope="${scopes.join(' ')}"` },
  })
}

function unguarded(): ConfigurationError {
  return new ConfigurationError(
    'E_MIDDLEWARE',
    'scopes() limits what a token may do, after Authentication has found out whose it is; use middlewares: ' +
      '[new Authentication(bearer), bearer.scopes(…)]',
  )
}
