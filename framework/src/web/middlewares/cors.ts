import { InvalidArgumentException } from '../../base/errors.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'

/** Which other sites may use this one from a browser. */
export interface CorsOptions {
  /** Origins such as `https://app.example`, all of them, or a rule. */
  readonly origins: readonly string[] | '*' | ((origin: string) => boolean)
  readonly methods?: readonly string[]
  /** Request headers they may send; whatever they ask for when not given. */
  readonly headers?: readonly string[]
  /** Response headers their scripts may read. */
  readonly expose?: readonly string[]
  /** Whether browsers may send cookies along. */
  readonly credentials?: boolean
  /** Seconds a browser may remember the permission. */
  readonly maxAge?: number
}

const usualMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Lets pages of other origins call this server. Preflights are answered here; an origin that is
 * not allowed gets no permission, and its request goes on as if there were none to give.
 */
export class Cors implements MiddlewareObject {
  readonly #allows: (origin: string) => boolean
  readonly #everyone: boolean
  readonly #credentials: boolean
  readonly #methods: string
  readonly #headers: string | null
  readonly #expose: string
  readonly #maxAge: string

  /** @throws InvalidArgumentException for `*` with credentials, or an origin that is none. */
  constructor({
    origins,
    methods = usualMethods,
    headers,
    expose = [],
    credentials = false,
    maxAge = 600,
  }: CorsOptions) {
    if (origins === '*' && credentials) {
      throw new InvalidArgumentException(
        'E_CORS',
        'credentials for every origin would open every session to every site; list the origins',
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
    if (request.method !== 'OPTIONS' || !isPreflight(request) || !this.#isAllowed(request))
      return next()
    response.header('Access-Control-Allow-Methods', this.#methods)
    const headers = this.#headers ?? request.header('access-control-request-headers') ?? ''
    if (headers !== '') response.header('Access-Control-Allow-Headers', headers)
    response.header('Access-Control-Max-Age', this.#maxAge)
    return response.empty()
  }

  /** Error answers get the permission too, or a page could not even read what went wrong. */
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

function isPreflight(request: Request): boolean {
  return request.header('access-control-request-method') !== undefined
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
    `"${origin}" is not an origin; write scheme, host and port only, such as https://app.example`,
  )
}
