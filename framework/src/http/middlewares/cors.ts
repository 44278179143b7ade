import { InvalidArgumentException } from '../../base/errors.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'

/** Options of `Cors`. */
export interface CorsOptions {
  /** Origins such as `https://app.example`, `*` for all, or a predicate. */
  readonly origins: readonly string[] | '*' | ((origin: string) => boolean)
  /** @default GET, HEAD, POST, PUT, PATCH and DELETE */
  readonly methods?: readonly string[]
  /** Allowed request headers. @default the headers the preflight asks for */
  readonly headers?: readonly string[]
  /** Response headers that scripts of other origins may read. */
  readonly expose?: readonly string[]
  /** Whether browsers may send cookies. @default false */
  readonly credentials?: boolean
  /** Seconds a browser may cache the preflight response. @default 600 */
  readonly maxAge?: number
}

const defaultMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Lets pages of other origins call this server, and responds to preflights. Requests of other origins
 * pass through without CORS headers.
 */
export class Cors implements MiddlewareObject {
  readonly #allows: (origin: string) => boolean
  readonly #options: CorsOptions

  /** @throws InvalidArgumentException for `*` with credentials, or an invalid origin. */
  constructor(options: CorsOptions) {
    const { origins, credentials = false } = options
    if (origins === '*' && credentials) {
      throw new InvalidArgumentException(
        'E_CORS',
        'credentials with origins: "*" would let every site use its visitors\' sessions here; list the origins',
      )
    }
    this.#allows = ruleOf(origins)
    this.#options = options
  }

  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const isPreflight =
      request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined
    if (!isPreflight || !this.#isAllowed(request)) return next()
    const { methods = defaultMethods, headers, maxAge = 600 } = this.#options
    response.header('Access-Control-Allow-Methods', methods.join(', '))
    const allowed = headers?.join(', ') ?? request.header('access-control-request-headers') ?? ''
    if (allowed !== '') response.header('Access-Control-Allow-Headers', allowed)
    response.header('Access-Control-Max-Age', String(maxAge))
    return response.empty()
  }

  /** Here, so that error responses get the headers too and scripts can read them. */
  finish(request: Request, response: Response): void {
    const { origins, credentials = false, expose = [] } = this.#options
    if (origins !== '*') response.vary('Origin')
    if (!this.#isAllowed(request)) return
    const { headers } = response
    const origin = origins === '*' ? '*' : (request.header('origin') ?? '')
    headers.set('Access-Control-Allow-Origin', origin)
    if (credentials) headers.set('Access-Control-Allow-Credentials', 'true')
    if (expose.length > 0) headers.set('Access-Control-Expose-Headers', expose.join(', '))
  }

  #isAllowed(request: Request): boolean {
    const origin = request.header('origin')
    return origin !== undefined && this.#allows(origin)
  }
}

function ruleOf(origins: CorsOptions['origins']): (origin: string) => boolean {
  if (typeof origins === 'function') return origins
  if (origins === '*') return () => true
  const known = new Set(origins)
  for (const origin of known) checkOrigin(origin)
  return (origin) => known.has(origin)
}

function checkOrigin(origin: string): void {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return
  throw new InvalidArgumentException(
    'E_CORS',
    `"${origin}" is not an origin; use only scheme, host and port, such as https://app.example`,
  )
}
