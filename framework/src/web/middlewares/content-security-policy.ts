import type { Response } from '../response/response.ts'

/**
 * A policy as text, or directives that replace those of the default one; null takes one out.
 * `{nonce}` stands for the nonce of the answer.
 */
export type PolicyOption = string | Readonly<Record<string, string | null>>

const usual: Readonly<Record<string, string>> = {
  'default-src': "'self'",
  'base-uri': "'self'",
  'form-action': "'self'",
  'frame-ancestors': "'self'",
  'object-src': "'none'",
  'img-src': "'self' data:",
  'script-src': "'self' 'nonce-{nonce}'",
  'style-src': "'self' 'nonce-{nonce}'",
}

/** A content security policy, prepared once for all answers. */
export class ContentSecurityPolicy {
  readonly #plain: string
  readonly #pieces: readonly string[]

  constructor(option: PolicyOption = {}) {
    const text = typeof option === 'string' ? option : join({ ...usual, ...option })
    this.#plain = text.replaceAll(/ *'nonce-\{nonce\}'/g, '')
    this.#pieces = text.split('{nonce}')
  }

  /** The header value; it names a nonce only when the answer used it, so the rest can be cached. */
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
