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
  /**
   * Allowed request headers.
   * @default the headers the preflight asks for
   */
  readonly headers?: readonly string[]
  /** Response headers that scripts of other origins may read. */
  readonly expose?: readonly string[]
  /**
   * Whether browsers may send cookies.
   * @default false
   */
  readonly credentials?: boolean
  /**
   * Seconds a browser may cache the preflight response.
   * @default 600
   */
  readonly maxAge?: number
}

const defaultMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Lets pages of other origins call this server, and responds to preflights. Requests of other origins
 * pass through without CORS headers.
 */
export class Cors implements MiddlewareObject {
  readonly #allows: (origin: string) => boolean
  readonly #everyone: boolean
  readonly #credentials: boolean
  readonly #methods: string
  readonly #headers: string | null
  readonly #expose: string
  readonly #maxAge: string

  /** @throws InvalidArgumentException for `*` with credentials, or an invalid origin. */
  constructor({
    origins,
    methods = defaultMethods,
    headers,
    expose = [],
    credentials = false,
    maxAge = 600,
  }: CorsOptions) {
    if (origins === '*' && credentials) {
      throw new InvalidArgumentException(
        'E_CORS',
        'credentials with origins: "*" would let every site use its visitors\' sessions here; list the origins',
      )
    }
    this.#allows = ruleOf(origins)
    this.#everyone = origins === '*'
    this.#credentials = credentials
    this.#methods = methods.join(', ')
    this.#headers = headers?.join(', ') ?? null
    this.#expose = expose.join(', ')
    this.#maxAge = String(maxAge)
  }

  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const isPreflight =
      request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined
    if (!isPreflight || !this.#isAllowed(request)) return next()
    response.header('Access-Control-Allow-Methods', this.#methods)
    const headers = this.#headers ?? request.header('access-control-request-headers') ?? ''
    if (headers !== '') response.header('Access-Control-Allow-Headers', headers)
    response.header('Access-Control-Max-Age', this.#maxAge)
    return response.empty()
  }

  /** Here, so that error responses get the headers too and scripts can read them. */
  finish(request: Request, response: Response): void {
    if (!this.#everyone) response.vary('Origin')
    if (!this.#isAllowed(request)) return
    const { headers } = response
    headers.set(
      'Access-Control-Allow-Origin',
      this.#everyone ? '*' : (request.header('origin') ?? ''),
    )
    if (this.#credentials) headers.set('Access-Control-Allow-Credentials', 'true')
    if (this.#expose !== '') headers.set('Access-Control-Expose-Headers', this.#expose)
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
