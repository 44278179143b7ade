import { FrameworkError } from '../../base/errors.ts'

/**
 * How a sign-in at an issuer ended: the visitor said no, something is not right, or the issuer does not
 * respond.
 */
export type OpenIdFailure = 'denied' | 'failed' | 'unavailable'

/**
 * Why somebody who came back from an issuer was not signed in:
 * - `denied`, `failed`, `unavailable`: the visitor said no there, something is not right, or the issuer does
 *   not respond.
 * - `expired`: nothing was begun in this browser, it took too long, or it was completed already.
 * - `email`: nobody is known by this identity, and the issuer has verified no e-mail that counts here.
 * - `closed`: nobody is known by this identity, and the issuer makes no accounts.
 * - `unverified`: the e-mail of the account here is not verified.
 * - `taken`: the account has another identity of this issuer.
 * - `elsewhere`: the identity leads to another account.
 */
export type OpenIdRefusal =
  | OpenIdFailure
  | 'expired'
  | 'email'
  | 'closed'
  | 'unverified'
  | 'taken'
  | 'elsewhere'

/** A word for the log, such as `invalid_grant` or `ECONNREFUSED`. */
const word = /^\w{1,48}$/

/**
 * A sign-in at an issuer went wrong. It says why in a word, and keeps nothing of what was sent: the errors
 * of HTTP clients hold codes, tokens and secrets.
 */
export class OpenIdError extends FrameworkError {
  readonly failure: OpenIdFailure
  /** A word for the log; null if there is none that can be shown. */
  readonly detail: string | null

  constructor(failure: OpenIdFailure, detail: unknown = null) {
    const shown = typeof detail === 'string' && word.test(detail) ? detail : null
    super('E_OPEN_ID', `a sign-in at an issuer ${outcomes[failure]}: ${shown ?? 'no reason given'}`)
    this.failure = failure
    this.detail = shown
  }
}

const outcomes: Readonly<Record<OpenIdFailure, string>> = {
  denied: 'was cancelled',
  failed: 'failed',
  unavailable: 'was not possible',
}
