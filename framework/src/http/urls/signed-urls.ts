import type { KeyObject } from 'node:crypto'
import { InvalidArgumentException } from '../../base/errors.ts'
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

/** What a signature says about a request. */
export type SignatureState = 'valid' | 'expired' | 'invalid'

const expiryName = 'expires'
const signatureName = 'signature'
// At the end: anything that was added after it, such as the mark of a mail program, is not signed.
const signed = /^(.+)([?&])signature=([\w-]{43})$/
const expiry = /[?&]expires=(\d{1,12})$/

/**
 * Makes URLs that nobody can change or guess, for links in mails and downloads: whoever has one may
 * use it. Path and query are signed with a key derived from the application key.
 */
export class SignedUrls<Patterns extends RoutePatterns = RoutePatterns> {
  readonly #build: UrlBuilder
  readonly #keys: readonly [KeyObject, ...KeyObject[]]
  readonly #url: string
  readonly #clock: () => number

  constructor({ route, key, url, clock = epochSeconds }: SignedUrlsOptions<Patterns>) {
    this.#build = urlBuilder(route.patterns)
    const [current, ...previous] = key.deriveAll('signed urls')
    if (current === undefined) throw invalid('the key of signed URLs derives no key')
    this.#keys = [current, ...previous]
    this.#url = url
    this.#clock = clock
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
    for (const reserved of [expiryName, signatureName]) {
      if (reserved in query) throw invalid(`a signed URL has a "${reserved}" of its own`)
    }
    const until = expires === undefined ? {} : { [expiryName]: this.#until(expires) }
    const target = this.#build(name, params, { ...query, ...until })
    const mark = markAfter(target)
    return new URL(`${target}${mark}${signatureName}=${sign(this.#keys[0], target)}`, this.#url)
      .href
  }

  /** What the signature of a path with its query says, in constant time. */
  check(target: string): SignatureState {
    const [, text = '', mark, signature = ''] = signed.exec(target) ?? []
    // After another mark the signature would be a part of the path.
    if (mark !== markAfter(text)) return 'invalid'
    // As texts: several of them have the same bytes.
    const given = Buffer.from(signature)
    const { timingSafeEqual } = process.getBuiltinModule('node:crypto')
    const isSigned = this.#keys.some((key) => timingSafeEqual(Buffer.from(sign(key, text)), given))
    if (!isSigned) return 'invalid'
    const until = expiry.exec(text)?.[1]
    return until === undefined || Number(until) > this.#clock() ? 'valid' : 'expired'
  }

  #until(seconds: number): number {
    if (!Number.isFinite(seconds) || seconds <= 0 || seconds > 1e10) {
      throw invalid(`"expires" is a number of seconds above 0, got ${seconds}`)
    }
    return Math.ceil(this.#clock() + seconds)
  }
}

function markAfter(target: string): string {
  return target.includes('?') ? '&' : '?'
}

function sign(key: KeyObject, text: string): string {
  const { createHmac } = process.getBuiltinModule('node:crypto')
  return createHmac('sha256', key).update(text).digest('base64url')
}

function invalid(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_SIGNED_URL', reason)
}
