import type { OpenIdFailure } from './open-id-error.ts'

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
