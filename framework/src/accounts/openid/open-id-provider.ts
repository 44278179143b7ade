import { ConfigurationError } from '../../base/errors.ts'
import { isLoopbackHost } from '../../base/addresses/is-loopback-host.ts'

/** A site whose accounts people can sign in with, as it is configured. */
export interface OpenIdProvider {
  /** In paths and variables: lower-case letters, digits and `_`. */
  readonly name: string
  /** Its name on buttons. */
  readonly label: string
  /** The address of the issuer. Its metadata are at `/.well-known/openid-configuration` below it. */
  readonly issuer: string
  readonly clientId: string
  /** Empty for a public client, which has only PKCE. */
  readonly clientSecret: string
  /** Whether an e-mail that the issuer has verified counts as verified here. */
  readonly trustsEmail: boolean
  /** Whether somebody who has no account gets one. */
  readonly registers: boolean
  /** Whether the issuer may be asked without TLS. */
  readonly allowsHttp: boolean
}

const maxIssuerLength = 255

/**
 * Checks that providers can be used together: HTTPS, or plain HTTP on this machine with `allowsHttp`, and one
 * of each issuer.
 * @throws ConfigurationError
 */
export function checkProviders(providers: readonly OpenIdProvider[]): void {
  const issuers = new Set<string>()
  for (const { name, issuer, clientId, allowsHttp } of providers) {
    const prefix = `OIDC_${name.toUpperCase()}`
    const url = URL.parse(issuer)
    const isLocal = url !== null && allowsHttp && isLoopbackHost(url.hostname)
    if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal))) {
      throw unusable(
        `${prefix}_ISSUER must be a URL that begins with https://; http:// works for this machine in development and test`,
      )
    }
    if (issuer.length > maxIssuerLength || url.search !== '' || url.hash !== '') {
      throw unusable(
        `${prefix}_ISSUER must have at most ${maxIssuerLength} characters, and no ? or #`,
      )
    }
    if (clientId === '') {
      throw unusable(`${prefix}_CLIENT_ID is missing; the issuer gives one to each site it knows`)
    }
    if (issuers.has(url.href)) throw unusable(`${prefix}_ISSUER is the issuer of another name too`)
    issuers.add(url.href)
  }
}

function unusable(text: string): ConfigurationError {
  return new ConfigurationError('E_OPEN_ID', text)
}
