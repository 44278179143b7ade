import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

// It has no types, so the compiler must not look for it.
const packageName: string = 'oidc-provider'
const Provider: ProviderClass = Object(await import(packageName)).Provider

/** Somebody who has an account at the issuer. */
export interface Person {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
}

/** Options of `TestIssuer`. */
export interface TestIssuerOptions {
  /** The address of the site, whose callbacks it allows. */
  readonly site: string
  /** The name that the site has for it. @default 'company' */
  readonly name?: string
  /** The host in its address: `localhost` is another site than 127.0.0.1. @default '127.0.0.1' */
  readonly host?: string
  /** Whether the e-mail is in the ID token too, or only in the user info. @default false */
  readonly emailInToken?: boolean
}

/** A real issuer, `oidc-provider`, on loopback. Whoever comes is signed in as `person` without a question. */
export class TestIssuer {
  readonly url: string
  readonly clientId: string = 'site'
  readonly clientSecret: string = randomBytes(24).toString('hex')
  /** Paths that were asked for, without their query. */
  readonly asked: string[] = []
  /** Codes that it has sent to the site. */
  readonly codes: string[] = []
  /** Who signs in. */
  person: Person = { sub: 'nobody' }
  /** Whether it drops the connection when it is asked for a path. */
  isDown: (path: string) => boolean = () => false
  /** Whether it says no instead, as if the visitor had cancelled. */
  denies: boolean = false
  readonly #server: Server
  readonly #provider: OidcProvider

  private constructor(server: Server, port: number, options: TestIssuerOptions) {
    const { site, name = 'company', host = '127.0.0.1', emailInToken = false } = options
    this.url = `http://${host}:${port}`
    this.#server = server
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: name }
    this.#provider = new Provider(this.url, {
      clients: [
        {
          client_id: this.clientId,
          client_secret: this.clientSecret,
          redirect_uris: [new URL(`/login/oidc/${name}/callback`, site).href],
          id_token_signed_response_alg: 'ES256',
        },
      ],
      jwks: { keys: [key] },
      cookies: { keys: [randomBytes(16).toString('hex')] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: !emailInToken,
      enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: () => '/sign-in' },
      ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60 },
      findAccount: (_context: Context, sub: string) => ({
        accountId: sub,
        claims: () => ({ ...this.person, sub }),
      }),
      loadExistingGrant: grantAll,
    })
    const answer = this.#provider.callback()
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const path = new URL(request.url ?? '/', this.url).pathname
      this.asked.push(path)
      if (this.isDown(path)) return void request.socket.destroy()
      response.on('finish', () => this.#keepCode(String(response.getHeader('location') ?? '')))
      if (path !== '/sign-in') return answer(request, response)
      return void this.#signIn(request, response)
    })
  }

  static async start(options: TestIssuerOptions): Promise<TestIssuer> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    assert.ok(typeof address === 'object' && address !== null)
    return new TestIssuer(server, address.port, options)
  }

  /** What the site is configured with, as values of `openIdScope`. */
  values(name: string = 'company'): Record<string, string | boolean> {
    const prefix = `OIDC_${name.toUpperCase()}`
    return {
      [`${prefix}_ISSUER`]: this.url,
      [`${prefix}_CLIENT_ID`]: this.clientId,
      [`${prefix}_CLIENT_SECRET`]: this.clientSecret,
      [`${prefix}_LABEL`]: name,
      [`${prefix}_TRUST_EMAIL`]: true,
      [`${prefix}_REGISTER`]: true,
    }
  }

  /** The same as variables of the environment. */
  env(name: string = 'company'): Record<string, string> {
    const values = Object.entries(this.values(name))
    return Object.fromEntries(values.map(([variable, value]) => [variable, String(value)]))
  }

  /** Goes through the issuer as a new browser would; resolves with the address that it sends back to. */
  async visit(address: string): Promise<URL> {
    const cookies = new Map<string, string>()
    let url = new URL(address)
    while (url.origin === this.url) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
      const text = await answer.text()
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      const location = answer.headers.get('location')
      assert.ok(location !== null, `${answer.status} ${text}`)
      url = new URL(location, url)
    }
    return url
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #keepCode(location: string): void {
    const code = URL.parse(location)?.searchParams.get('code') ?? null
    if (code !== null) this.codes.push(code)
  }

  async #signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const result = this.denies
      ? { error: 'access_denied', error_description: 'said no' }
      : { login: { accountId: this.person.sub } }
    await this.#provider.interactionFinished(request, response, result)
  }
}

/** The part of the package that is used here. */
interface OidcProvider {
  readonly Grant: new (of: { accountId: string; clientId: string }) => Grant
  callback(): (request: IncomingMessage, response: ServerResponse) => void
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: object,
  ): Promise<void>
}

type ProviderClass = new (issuer: string, configuration: object) => OidcProvider

interface Grant {
  addOIDCScope(scope: string): void
  save(): Promise<string>
}

interface Context {
  readonly oidc: {
    readonly provider: OidcProvider
    readonly client: { readonly clientId: string }
    readonly session: { readonly accountId: string }
  }
}

async function grantAll({ oidc }: Context): Promise<Grant> {
  const { provider, client, session } = oidc
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid email')
  await grant.save()
  return grant
}
