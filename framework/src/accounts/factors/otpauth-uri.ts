/** What an authenticator app shows and keeps. */
export interface OtpauthLabel {
  /** The name of the site. */
  readonly issuer: string
  /** The name of the account on it, usually the e-mail. */
  readonly account: string
  /** The shared secret, in base32. */
  readonly secret: string
}

/**
 * The URI that authenticator apps read from a QR code. It leaves out algorithm, digits and period:
 * apps assume SHA-1, six and 30 seconds, some whatever it says, and a short URI is easier to scan.
 */
export function otpauthUri({ issuer, account, secret }: OtpauthLabel): string {
  // A colon separates issuer and account, and some apps look for it after decoding.
  const [site, name] = [issuer, account].map((part) =>
    encodeURIComponent(part.replaceAll(':', ' ')),
  )
  return `otpauth://totp/${site}:${name}?secret=${secret}&issuer=${site}`
}
