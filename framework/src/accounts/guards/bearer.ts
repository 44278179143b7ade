import type { ApiTokens } from '../tokens/api-tokens.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import { RateLimit } from '../../http/middlewares/rate-limit.ts'
import { bearerText } from '../../http/request/api-token.ts'
import type { Request } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import type { MiddlewareObject, MiddlewareOutcome, Next } from '../../http/router/middleware.ts'
import type { ServerHost } from '../../http/server/server-host.ts'
import { singleChallenge } from './authenticating.ts'
import { loadActive } from './guard.ts'
import type { Guard, LoadIdentity } from './guard.ts'
import { UserGuard } from './authentication.ts'

/** A number of requests in a window of seconds. */
export interface BearerRate {
  readonly limit: number
  readonly window: number
}

/** Options of `Bearer`. */
export interface BearerOptions {
  /** Loads the account of a token: `(id) => users.find(id)`. */
  readonly load: LoadIdentity
  /**
   * How often one token may be used, on all routes together; null for no limit.
   * @default 600 requests in 60 seconds
   */
  readonly limit?: BearerRate | null
  /** How many invalid tokens one network may send. @default 60 in 60 seconds */
  readonly failures?: BearerRate
  /** @default 'Protected area' */
  readonly realm?: string
}

/** An `ApiTokens`. */
type ApiTokenFinder<Scope extends string> = Pick<ApiTokens<Scope>, 'find'>

const perToken: BearerRate = { limit: 600, window: 60 }
const perNetwork: BearerRate = { limit: 60, window: 60 }

/**
 * Identifies programs by an API token in the header `Authorization: Bearer …`. Such a request has no
 * session: what a handler writes into it is discarded, no cookie is sent, nobody is signed in, and
 * `Confirmed` refuses it. It needs no CSRF token, since a browser never sends the header by itself.
 */
export class Bearer<Scope extends string = string> implements Guard {
  readonly scheme: string = 'Bearer'
  readonly realm: string | undefined
  readonly #tokens: ApiTokenFinder<Scope>
  readonly #load: LoadIdentity
  readonly #limit: RateLimit | null
  readonly #failures: RateLimit
  readonly #invalid: string

  /** @throws InvalidArgumentException for invalid limits or a realm that does not fit into a header. */
  constructor(tokens: ApiTokenFinder<Scope>, options: BearerOptions) {
    const { load, limit = perToken, failures = perNetwork, realm } = options
    this.realm = realm
    this.#tokens = tokens
    this.#load = load
    const key = ({ apiToken }: Request): string | null => apiToken?.handle ?? null
    this.#limit = limit === null ? null : new RateLimit({ ...limit, key, name: 'api token' })
    this.#failures = new RateLimit({ ...failures, name: 'invalid api token' })
    this.#invalid = `${singleChallenge(this)}, error="invalid_token"`
  }

  /**
   * Whether the request has a valid token. Without the header, other guards may be asked.
   * @throws HttpError 401 for an invalid token, which is never ignored in favour of a cookie; 429 above a
   * limit.
   */
  async authenticate(request: Request, response: Response): Promise<boolean> {
    const text = bearerText(request)
    if (text === null) return false
    const token = await this.#tokens.find(text)
    const identity = token === null ? null : await loadActive(this.#load, token.user)
    if (token === null || identity === null) {
      await count(this.#failures, request, response)
      throw this.#invalidToken()
    }
    request.apiToken = token
    if (this.#limit !== null) await count(this.#limit, request, response)
    if (request.sessions !== null) request.session.discardWrites()
    request.identity = identity
    return true
  }

  /**
   * A middleware that refuses tokens without all of these scopes with 403. It lets signed-in users of
   * other guards through: scopes limit tokens, not people. Put it after `Authentication`.
   */
  scopes(...scopes: readonly Scope[]): MiddlewareObject {
    return new RequiredScopes(scopes, singleChallenge(this))
  }

  finish(request: Request, response: Response): void {
    this.#limit?.finish(request, response)
  }

  attach(server: ServerHost): void {
    this.#limit?.attach(server)
    this.#failures.attach(server)
  }

  #invalidToken(): HttpError {
    return new HttpError(401, 'This API token is unknown, expired or revoked.', {
      expose: true,
      problem: true,
      headers: { 'WWW-Authenticate': this.#invalid },
    })
  }
}

/** @throws HttpError 429 above the limit. */
async function count(limit: RateLimit, request: Request, response: Response): Promise<void> {
  await limit.process(request, response, () => response)
}

/** The middleware of `Bearer.scopes`; `challenge` is the one of the guard. */
export class RequiredScopes extends UserGuard {
  readonly scopes: readonly string[]
  readonly #challenge: string

  constructor(scopes: readonly string[], challenge: string) {
    super(
      'E_MIDDLEWARE',
      'scopes() limits what a token may do, after Authentication has found out whose it is; use ' +
        'middlewares: [new Authentication(bearer), bearer.scopes(…)]',
    )
    this.scopes = scopes
    this.#challenge = challenge
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
