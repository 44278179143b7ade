/** What a sign-in at an issuer was begun with. It stays with the browser that began. */
export interface OpenIdAttempt {
  /** Comes back with the browser, and shows that it is the one that began. */
  readonly state: string
  /** Comes back in the ID token, and shows that the token was made for this attempt. */
  readonly nonce: string
  /** The PKCE code verifier: whoever has only the code cannot use it. */
  readonly verifier: string
}

/** Somebody as an issuer knows them, after every check. */
export interface OpenIdSubject {
  /** Identifies them at their issuer for ever, unlike an e-mail. */
  readonly subject: string
  /**
   * The e-mail that the issuer says it has verified; null without one. Asks the issuer if the ID token has
   * no e-mail.
   * @throws OpenIdError
   */
  email(): Promise<string | null>
}

/** Another site whose accounts people can sign in with. */
export interface OpenIdIssuer {
  /** Its name in paths, variables and log lines: lower-case letters, digits and `_`. */
  readonly name: string
  /** Its name on buttons. */
  readonly label: string
  /** Its address in normal form, by which identities are stored. */
  readonly key: string
  /** Whether an e-mail that it has verified counts as verified here. */
  readonly trustsEmail: boolean
  /** Whether somebody who has no account gets one. */
  readonly registers: boolean
  /**
   * Where to send the browser.
   * @throws OpenIdError if the issuer cannot be reached.
   */
  authorizationUrl(attempt: OpenIdAttempt, callback: string): Promise<string>
  /**
   * Redeems the code in the address that the issuer has sent the browser back to.
   * @throws OpenIdError if the issuer refuses, cannot be reached, or sends something that is not right.
   */
  redeem(returned: URL, attempt: OpenIdAttempt): Promise<OpenIdSubject>
}
