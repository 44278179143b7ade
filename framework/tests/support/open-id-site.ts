import { AuthEvents } from '../../src/accounts/auth-events.ts'
import type { AuthEventPayload } from '../../src/accounts/auth-events.ts'
import { OpenIdAccounts } from '../../src/accounts/openid/open-id-accounts.ts'
import {
  createOpenIdIdentitiesTable,
  OpenIdIdentities,
} from '../../src/accounts/openid/open-id-identities.ts'
import type { OpenIdIssuer } from '../../src/accounts/openid/open-id-issuer.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { Emitter } from '../../src/events/emitter.ts'
import { OpenIdSignIn } from '../../src/accounts/openid/open-id-sign-in.ts'
import type { AuthSite } from '../conformance/auth-site.ts'
import type { AuthVisitor } from '../conformance/auth-visitor.ts'

/** The address of the site that issuers send browsers back to. */
export const siteUrl: string = 'https://site.example'

/** A site with accounts on which people can also sign in at issuers. */
export class OpenIdSite {
  readonly site: AuthSite
  readonly openId: OpenIdSignIn
  readonly identities: OpenIdIdentities
  /** The events of signing in at issuers, by name. */
  readonly events: (readonly [name: string, payload: AuthEventPayload])[] = []

  private constructor(site: AuthSite, issuers: readonly OpenIdIssuer[]) {
    const clock = (): number => site.clock.now
    const emitter = new Emitter()
    for (const [name, event] of Object.entries(AuthEvents)) {
      emitter.listen(event, (payload) => this.events.push([name, payload]))
    }
    const { IdentityLinked } = AuthEvents
    site.emitter.listen(IdentityLinked, (payload) => this.events.push(['IdentityLinked', payload]))
    const { database, users, credentials, activity, signIn } = site
    this.site = site
    this.identities = new OpenIdIdentities(database)
    const parts = { users, credentials, issuers, activity, clock }
    const accounts = new OpenIdAccounts(database, parts)
    this.openId = new OpenIdSignIn({ issuers, accounts, signIn, url: siteUrl, emitter, clock })
    this.#declare()
  }

  /** Adds signing in at issuers to a site that has not been asked anything yet. */
  static async on(site: AuthSite, issuers: readonly OpenIdIssuer[]): Promise<OpenIdSite> {
    await site.database.transaction((transaction) =>
      createOpenIdIdentitiesTable(new Schema(transaction)),
    )
    return new OpenIdSite(site, issuers)
  }

  /** Begins a sign-in, or the linking of an identity, and resolves with the address at the issuer. */
  async begin(browser: AuthVisitor, name: string, path: string = '/login/oidc'): Promise<string> {
    return Object((await browser.post(`${path}/${name}`)).json()).url
  }

  /** Sends a browser back to the site, and resolves with the outcome. */
  async back(browser: AuthVisitor, { pathname, search }: URL): Promise<string> {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    return Object((await browser.ask(pathname + search, { headers })).json()).outcome
  }

  /** Why sign-ins were refused, in order. */
  get reasons(): readonly (string | null | undefined)[] {
    return this.events.flatMap(([name, { reason }]) => (name === 'Failed' ? [reason] : []))
  }

  #declare(): void {
    const { router } = this.site.server
    const issuerOf = (name: string): OpenIdIssuer => {
      const issuer = this.openId.issuer(name)
      if (issuer === null) throw new Error(`there is no issuer ${name}`)
      return issuer
    }
    router.post('/login/oidc/:name', async (request, response) => {
      const url = await this.openId.begin(request, issuerOf(request.params.name))
      return response.json({ url })
    })
    router.post('/link/:name', async (request, response) => {
      const link = String(await request.session.get('identity'))
      const url = await this.openId.begin(request, issuerOf(request.params.name), { link })
      return response.json({ url })
    })
    router.post('/vanish', ({ session }) => session.delete('identity'))
    router.get('/login/oidc/:name/callback', async (request, response) => {
      const issuer = issuerOf(request.params.name)
      return response.json(await this.openId.finish(request, response, issuer))
    })
  }
}
