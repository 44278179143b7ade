import { SignedPaths } from '../../base/crypto/signed-paths.ts'
import type { SignatureState } from '../../base/crypto/signed-paths.ts'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import type { ApplicationKey } from '../../settings/application-key.ts'
import { urlBuilder } from './url-builder.ts'
import type { AddressParams, AddressQuery, RoutePatterns, UrlBuilder } from './url-builder.ts'

/** Options of `SignedUrls`. */
export interface SignedUrlsOptions<Patterns extends RoutePatterns> {
  /** The result of `defineRoutes`. */
  readonly route: { readonly patterns: Patterns }
  /** The result of `applicationKey`. Previous keys still verify. */
  readonly key: Pick<ApplicationKey, 'deriveAll'>
  /** The public URL of the site, `boot.server.url`: a link never follows the `Host` of a request. */
  readonly url: string
  /** Epoch seconds. @default the clock of the machine */
  readonly clock?: () => number
}

/** Options of `signedUrl`. */
export interface SignedUrlOptions {
  /** How long it is valid, in seconds. @default without end */
  readonly expires?: number
  /** Signed too. */
  readonly query?: AddressQuery
}

/**
 * Makes URLs that nobody can change or guess, for links in mails and downloads: whoever has one may
 * use it. Path and query are signed with a key derived from the application key.
 */
export class SignedUrls<Patterns extends RoutePatterns = RoutePatterns> {
  readonly #build: UrlBuilder
  readonly #paths: SignedPaths
  readonly #url: string

  constructor({ route, key, url, clock = epochSeconds }: SignedUrlsOptions<Patterns>) {
    this.#build = urlBuilder(route.patterns)
    this.#paths = new SignedPaths(key, clock)
    this.#url = url
  }

  /**
   * The absolute URL of a route, signed: `signedUrl('exports.download', { id }, { expires: 3600 })`.
   * @throws InvalidArgumentException for an invalid lifetime, a query that has the name `expires` or
   *   `signature`, or what `route` throws.
   */
  signedUrl<Name extends keyof Patterns & string>(
    name: Name,
    params: AddressParams<Patterns[Name]>,
    { expires, query = {} }: SignedUrlOptions = {},
  ): string {
    return new URL(this.#paths.sign(this.#build(name, params, query), expires), this.#url).href
  }

  /** What the signature of a path with its query says, in constant time. */
  check(target: string): SignatureState {
    return this.#paths.check(target)
  }
}
