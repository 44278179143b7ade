import type { Response } from '../response/response.ts'

/**
 * A policy as text, or directives that replace those of the default policy; null removes one.
 * `{nonce}` is replaced by the nonce of the response.
 */
export type PolicyOption = string | Readonly<Record<string, string | null>>

const defaults: Readonly<Record<string, string>> = {
  'default-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'self'",
  'object-src': "'none'",
  'img-src': "'self' data:",
  'script-src': "'self' 'nonce-{nonce}'",
  'style-src': "'self' 'nonce-{nonce}'",
}

/** A content security policy, prepared once for all responses. */
export class ContentSecurityPolicy {
  readonly #plain: string
  readonly #pieces: readonly string[]

  constructor(option: PolicyOption = {}) {
    const text = typeof option === 'string' ? option : join({ ...defaults, ...option })
    this.#plain = text.replaceAll(/ *'nonce-\{nonce\}'/g, '')
    this.#pieces = text.split('{nonce}')
  }

  /** The header value. It has a nonce only if the response uses it, so that others can be cached. */
  of(response: Response): string {
    return response.nonceUsed ? this.#pieces.join(response.nonce) : this.#plain
  }
}

function join(directives: Readonly<Record<string, string | null>>): string {
  return Object.entries(directives)
    .filter(([, sources]) => sources !== null)
    .map(([name, sources]) => `${name} ${sources}`.trim())
    .join('; ')
}
