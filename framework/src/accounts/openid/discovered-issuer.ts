import * as client from 'openid-client'
import type { CustomFetch } from 'openid-client'
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { isRecord } from '../../base/is-record.ts'
import { OpenIdError } from './open-id-error.ts'
import type { OpenIdAttempt, OpenIdIssuer, OpenIdSubject } from './open-id-issuer.ts'
import type { OpenIdProvider } from './open-id-settings.ts'

/** Bytes of one response. Metadata, keys and tokens have a few thousand. */
const maxBytes = 262_144
/** Seconds after which the metadata are fetched again. */
const freshness = 3600
/** Seconds for which an issuer that did not respond is left alone. */
const pause = 10
/** Codes redeemed at the same time: a slow issuer must not pile up requests. */
const maxRedeeming = 50

/** Options of `DiscoveredIssuer`. */
export interface DiscoveredIssuerOptions {
  /** Epoch seconds. */
  readonly clock: () => number
  /** Seconds for one request to the issuer. */
  readonly timeout: number
}

/**
 * An issuer found by its metadata, with `openid-client`. They are fetched when somebody first signs in and
 * kept for an hour, as are the keys; an issuer that does not respond is asked again after ten seconds.
 */
export class DiscoveredIssuer implements OpenIdIssuer {
  readonly name: string
  readonly label: string
  readonly key: string
  readonly trustsEmail: boolean
  readonly registers: boolean
  readonly #provider: OpenIdProvider
  readonly #options: DiscoveredIssuerOptions
  #known: client.Configuration | null = null
  #freshUntil = 0
  #pausedUntil = 0
  #failure: OpenIdError | null = null
  #discovering: Promise<client.Configuration> | null = null
  #redeeming = 0

  constructor(provider: OpenIdProvider, options: DiscoveredIssuerOptions) {
    const { name, label, issuer, trustsEmail, registers } = provider
    this.name = name
    this.label = label
    this.key = new URL(issuer).href
    this.trustsEmail = trustsEmail
    this.registers = registers
    this.#provider = provider
    this.#options = options
  }

  async authorizationUrl(attempt: OpenIdAttempt, callback: string): Promise<string> {
    const { state, nonce, verifier } = attempt
    const configuration = await this.#configuration()
    const challenge = await client.calculatePKCECodeChallenge(verifier)
    try {
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: callback,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      })
      return url.href
    } catch (error) {
      throw openIdErrorOf(error)
    }
  }

  async redeem(returned: URL, { state, nonce, verifier }: OpenIdAttempt): Promise<OpenIdSubject> {
    const configuration = await this.#configuration()
    if (this.#redeeming >= maxRedeeming) throw new OpenIdError('unavailable', 'busy')
    this.#redeeming += 1
    try {
      // Checks state, `iss`, nonce, audience, times and, as told below, the signature.
      const tokens = await client.authorizationCodeGrant(configuration, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new OpenIdError('failed', 'no_id_token')
      // A sub has at most 255 ASCII characters, and so has its column.
      if (!/^[\x20-\x7e]{1,255}$/.test(claims.sub)) throw new OpenIdError('failed', 'subject')
      let email: Promise<string | null> | null = null
      return {
        subject: claims.sub,
        email: () => (email ??= this.#email(claims, claims.sub, tokens.access_token)),
      }
    } catch (error) {
      throw openIdErrorOf(error)
    } finally {
      this.#redeeming -= 1
    }
  }

  async #email(claims: Claims, subject: string, accessToken: string): Promise<string | null> {
    return verifiedEmail('email' in claims ? claims : await this.#userInfo(accessToken, subject))
  }

  async #userInfo(accessToken: string, subject: string): Promise<Claims> {
    const configuration = await this.#configuration()
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return {}
    try {
      return await client.fetchUserInfo(configuration, accessToken, subject)
    } catch (error) {
      throw openIdErrorOf(error)
    }
  }

  /** The metadata: those that are known, even while they are fetched again, or newly fetched ones. */
  async #configuration(): Promise<client.Configuration> {
    const now = this.#options.clock()
    if (now >= this.#freshUntil && now >= this.#pausedUntil) {
      this.#discovering ??= this.#discover().finally(() => {
        this.#discovering = null
      })
      // Whoever waits for it gets the error, and if nobody does, it is known here.
      this.#discovering.catch(() => {})
    }
    const configuration = this.#known ?? this.#discovering
    if (configuration !== null) return configuration
    throw this.#failure ?? new OpenIdError('unavailable')
  }

  async #discover(): Promise<client.Configuration> {
    const { issuer, clientId, allowsHttp } = this.#provider
    try {
      const configuration = await client.discovery(
        new URL(issuer),
        clientId,
        undefined,
        this.#authentication(),
        {
          timeout: this.#options.timeout,
          [client.customFetch]: boundedFetch(maxBytes),
          execute: [
            // Also on a direct TLS connection: a proxy in between must not be able to sign anybody in.
            client.enableNonRepudiationChecks,
            ...(allowsHttp ? [client.allowInsecureRequests] : []),
          ],
        },
      )
      // One address, one issuer: who may make accounts at a tenant must not pass for another tenant.
      const found = configuration.serverMetadata().issuer
      if (URL.parse(found)?.href !== this.key) throw new OpenIdError('unavailable', 'issuer')
      this.#known = configuration
      this.#freshUntil = this.#options.clock() + freshness
      return configuration
    } catch (error) {
      const { detail } = openIdErrorOf(error)
      this.#failure = new OpenIdError('unavailable', detail)
      this.#pausedUntil = this.#options.clock() + pause
      throw this.#failure
    }
  }

  // An issuer that does not say what it supports supports `client_secret_basic`.
  #authentication(): client.ClientAuth {
    const { clientSecret } = this.#provider
    if (clientSecret === '') return client.None()
    const basic = client.ClientSecretBasic(clientSecret)
    const post = client.ClientSecretPost(clientSecret)
    return (server, ...rest) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
      const authenticate = methods.includes('client_secret_basic') ? basic : post
      return authenticate(server, ...rest)
    }
  }
}

type Claims = Readonly<Record<string, unknown>>

// Only `true`: an issuer that says nothing, or says it in a way of its own, has verified nothing.
function verifiedEmail({ email, email_verified: isVerified }: Claims): string | null {
  return typeof email === 'string' && isVerified === true ? email : null
}

/** Responses that have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * A `fetch` that reads at most so many bytes of a response, all of them before it resolves: so the signal
 * with the timeout covers the body too.
 */
function boundedFetch(maxBytes: number): CustomFetch {
  return async (url, { body = null, signal = null, ...options }) => {
    const sent = body instanceof Uint8Array ? Uint8Array.from(body) : body
    const response = await fetch(url, { ...options, body: sent, signal })
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of response.body ?? []) {
      length += chunk.length
      if (length > maxBytes) throw new OpenIdError('failed', 'too_large')
      chunks.push(chunk)
    }
    const { status, headers } = response
    const plain = new Headers(headers)
    // They are about the body as it was sent, which has been decoded.
    for (const name of ['content-encoding', 'content-length']) plain.delete(name)
    const read = bodiless.has(status) ? null : Buffer.concat(chunks)
    return new Response(read, { status, headers: plain })
  }
}

/** What issuers say when they are not able to respond now. */
const temporary: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable'])

/** What went wrong at an issuer, without what was sent or received. */
function openIdErrorOf(error: unknown): OpenIdError {
  if (error instanceof OpenIdError) return error
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return issuerSaid(error.error)
  }
  // Node's fetch throws a TypeError, whose cause is what the system said; or our own, of `boundedFetch`.
  const cause = error instanceof Error ? error.cause : null
  if (cause instanceof OpenIdError) return cause
  if (error instanceof ClientError) return clientFailed(error)
  return new OpenIdError('unavailable', textIn(cause, 'code') ?? textIn(error, 'code') ?? 'network')
}

function issuerSaid(code: string): OpenIdError {
  if (code === 'access_denied') return new OpenIdError('denied', code)
  return new OpenIdError(temporary.has(code) ? 'unavailable' : 'failed', code)
}

function clientFailed({ code, cause }: ClientError): OpenIdError {
  const isLate = code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT'
  const isDown = cause instanceof Response && cause.status >= 500
  if (isLate || isDown) return new OpenIdError('unavailable', isDown ? 'status_5xx' : code)
  return new OpenIdError('failed', comparedClaim(cause) ?? code)
}

/** The name of the claim that was not as expected: `nonce`, `iss`, `aud`. */
function comparedClaim(cause: unknown): string | null {
  return textIn(cause instanceof Error ? cause.cause : null, 'claim')
}

function textIn(value: unknown, name: 'claim' | 'code'): string | null {
  const text = isRecord(value) ? value[name] : null
  return typeof text === 'string' ? text : null
}
