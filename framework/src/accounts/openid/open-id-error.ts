import { FrameworkError } from '../../base/errors.ts'

/**
 * How a sign-in at an issuer ended: the visitor said no, something is not right, or the issuer does not
 * respond.
 */
export type OpenIdFailure = 'denied' | 'failed' | 'unavailable'

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
