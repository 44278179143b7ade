import { generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { OpenIdValues } from '../../src/accounts/openid/open-id-settings.ts'

type Json = Readonly<Record<string, unknown>>

/** A request to the token endpoint. */
export interface TokenRequest {
  readonly authorization: string | undefined
  readonly form: URLSearchParams
}

/** An issuer that says what a test tells it to, right or wrong. */
export class ScriptedIssuer {
  /** Paths that were asked for. */
  readonly asked: string[] = []
  readonly redeemed: TokenRequest[] = []
  /** Added to its metadata. */
  metadata: Json = {}
  /** Added to the claims of its ID tokens. */
  claims: Json = {}
  /** Of its ID tokens. */
  header: Json = { alg: 'ES256', kid: 'one' }
  /** Answers a path in its stead; returns whether it did. */
  instead: (path: string, response: ServerResponse) => boolean = () => false
  /** Signs its ID tokens; `rightKey` is the one that it publishes. */
  signer: KeyObject
  readonly rightKey: KeyObject
  readonly #server: Server
  #port = 0

  constructor() {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.rightKey = privateKey
    this.signer = privateKey
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    this.#port = typeof address === 'object' && address !== null ? address.port : 0
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** What a site is configured with, as values of `openIdScope`. */
  get values(): OpenIdValues {
    return {
      OIDC_TEST_ISSUER: this.url,
      OIDC_TEST_CLIENT_ID: 'site',
      OIDC_TEST_CLIENT_SECRET: 'hunter2hunter2',
      OIDC_TEST_LABEL: 'Test',
      OIDC_TEST_TRUST_EMAIL: true,
      OIDC_TEST_REGISTER: true,
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.url)
    this.asked.push(pathname)
    const body = await text(request)
    if (this.instead(pathname, response)) return
    const answer = this.#json(pathname, request, body)
    response.writeHead(answer === null ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer))
  }

  #json(path: string, { headers }: IncomingMessage, body: string): Json | null {
    if (path === '/.well-known/openid-configuration') return this.#metadata()
    if (path === '/keys') {
      const { d: _secret, ...key } = this.rightKey.export({ format: 'jwk' })
      return { keys: [{ ...key, kid: 'one', use: 'sig', alg: 'ES256' }] }
    }
    if (path !== '/token') return null
    this.redeemed.push({ authorization: headers.authorization, form: new URLSearchParams(body) })
    return { access_token: 'opaque-token', token_type: 'bearer', id_token: this.#idToken() }
  }

  #metadata(): Json {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/auth`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      ...this.metadata,
    }
  }

  #idToken(): string {
    const now = Math.floor(Date.now() / 1000)
    const usual = { iss: this.url, aud: 'site', sub: 'ada', iat: now, exp: now + 60 }
    const parts = [this.header, { ...usual, ...this.claims }].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    const signed = parts.join('.')
    if (this.header['alg'] === 'none') return `${signed}.`
    const key = { key: this.signer, dsaEncoding: 'ieee-p1363' } as const
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
  }
}
