import type { Request } from '../request/request.ts'
import { HeaderList } from '../response/header-list.ts'
import type { Response } from '../response/response.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'

/**
 * A policy as text, or directives that replace those of the default policy; null removes one.
 * `{nonce}` is replaced by the nonce of the response.
 */
export type PolicyOption = string | Readonly<Record<string, string | null>>

/** Options of `SecureHeaders`: another value for a header, or null to leave it out. */
export interface SecureHeadersOptions {
  readonly contentTypeOptions?: string | null
  readonly frameOptions?: string | null
  readonly referrerPolicy?: string | null
  readonly permissionsPolicy?: string | null
  readonly crossOriginOpenerPolicy?: string | null
  /** Which sites may embed resources of this one; `cross-origin` for images that others embed. */
  readonly crossOriginResourcePolicy?: string | null
  readonly contentSecurityPolicy?: PolicyOption | null
  /** Sent over TLS only; browsers ignore it otherwise. */
  readonly strictTransportSecurity?: string | null
}

const deniedFeatures =
  'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), ' +
  'magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()'

const defaultDirectives: Readonly<Record<string, string>> = {
  'default-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'self'",
  'object-src': "'none'",
  'img-src': "'self' data:",
  'script-src': "'self' 'nonce-{nonce}'",
  'style-src': "'self' 'nonce-{nonce}'",
}

/**
 * Adds security headers to every response, error pages included. Headers set by the handler are kept.
 */
export class SecureHeaders implements MiddlewareObject {
  readonly #fixed: HeaderList
  readonly #policy: ((response: Response) => string) | null
  readonly #transport: string | null

  /** @throws InvalidArgumentException for a value that is not allowed in a header. */
  constructor(options: SecureHeadersOptions = {}) {
    const {
      contentTypeOptions = 'nosniff',
      frameOptions = 'SAMEORIGIN',
      referrerPolicy = 'strict-origin-when-cross-origin',
      permissionsPolicy = deniedFeatures,
      crossOriginOpenerPolicy = 'same-origin',
      crossOriginResourcePolicy = 'same-origin',
      contentSecurityPolicy = {},
      strictTransportSecurity = 'max-age=31536000; includeSubDomains',
    } = options
    this.#fixed = headerList([
      ['X-Content-Type-Options', contentTypeOptions],
      ['X-Frame-Options', frameOptions],
      ['Referrer-Policy', referrerPolicy],
      ['Permissions-Policy', permissionsPolicy],
      ['Cross-Origin-Opener-Policy', crossOriginOpenerPolicy],
      ['Cross-Origin-Resource-Policy', crossOriginResourcePolicy],
    ])
    this.#policy = contentSecurityPolicy === null ? null : policyOf(contentSecurityPolicy)
    this.#transport = strictTransportSecurity
  }

  process(_request: Request, _response: Response, next: Next): Response | Promise<Response> {
    return next()
  }

  finish(request: Request, response: Response): void {
    const { headers } = response
    headers.addMissing(this.#fixed)
    if (this.#policy !== null && !headers.has('Content-Security-Policy')) {
      headers.append('Content-Security-Policy', this.#policy(response))
    }
    if (this.#transport !== null && request.secure && !headers.has('Strict-Transport-Security')) {
      headers.append('Strict-Transport-Security', this.#transport)
    }
  }
}

function headerList(pairs: readonly (readonly [name: string, value: string | null])[]): HeaderList {
  const headers = new HeaderList()
  for (const [name, value] of pairs) {
    if (value !== null) headers.set(name, value)
  }
  return headers
}

/**
 * The content security policy of a response, prepared once for all. It has a nonce only if the response uses it,
 * so that others can be cached.
 */
function policyOf(option: PolicyOption): (response: Response) => string {
  const text = typeof option === 'string' ? option : policyText({ ...defaultDirectives, ...option })
  const plain = text.replaceAll(/ *'nonce-\{nonce\}'/g, '')
  const pieces = text.split('{nonce}')
  return (response) => (response.nonceUsed ? pieces.join(response.nonce) : plain)
}

function policyText(directives: Readonly<Record<string, string | null>>): string {
  return Object.entries(directives)
    .filter(([, sources]) => sources !== null)
    .map(([name, sources]) => `${name} ${sources}`.trim())
    .join('; ')
}
