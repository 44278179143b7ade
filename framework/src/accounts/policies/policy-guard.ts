import { ConfigurationError } from '../../base/errors.ts'
import { Authentication } from '../guards/authentication.ts'
import type { Request } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import type { Middleware, MiddlewareObject, Next } from '../../http/router/middleware.ts'
import { Phases } from '../../http/router/phases.ts'
import type { MiddlewarePhase } from '../../http/router/phases.ts'

/** What a `PolicyGuard` shows of its policy. */
export interface PolicyFacts {
  /** The name of the function; empty if it has none. */
  readonly policy: string
  /** The status of a refusal. */
  readonly status: 403 | 404
}

/** The middleware of `allow(policy)`: lets requests through that the policy allows. */
export class PolicyGuard implements MiddlewareObject, PolicyFacts {
  /** It needs no body, so whoever is refused has uploaded nothing. */
  readonly phase: MiddlewarePhase = Phases.Guard
  readonly label: string
  readonly policy: string
  readonly status: 403 | 404
  readonly #check: (request: Request) => Promise<unknown>

  constructor({ policy, status }: PolicyFacts, check: (request: Request) => Promise<unknown>) {
    this.label = policy === '' ? 'PolicyGuard' : `PolicyGuard(${policy})`
    this.policy = policy
    this.status = status
    this.#check = check
  }

  /** @throws ConfigurationError without `Authentication` before it, which sends guests to sign in. */
  join(outer: readonly Middleware[]): void {
    if (outer.some((middleware) => middleware instanceof Authentication)) return
    throw new ConfigurationError(
      'E_POLICY',
      `allow(${this.policy}) looks at signed-in users; put Authentication before it: ` +
        'middlewares: [signedIn, allow(policy)]',
    )
  }

  async process(request: Request, _response: Response, next: Next): Promise<Response> {
    await this.#check(request)
    return next()
  }
}
