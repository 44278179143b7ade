import { createHash } from 'node:crypto'
import type { TestContext } from 'node:test'
import { Environments } from '../../src/settings/environments.ts'
import type { Argon2Derive } from '../../src/accounts/passwords/argon2-hash.ts'
import { AccountActivity, createActivityTable } from '../../src/accounts/account-activity.ts'
import { AuthEvents } from '../../src/accounts/auth-events.ts'
import type { AuthEventPayload } from '../../src/accounts/auth-events.ts'
import type { CredentialsOptions } from '../../src/accounts/changes/credentials-options.ts'
import { Credentials } from '../../src/accounts/changes/credentials.ts'
import type { Identity } from '../../src/accounts/identity.ts'
import { addFactorsColumn } from '../../src/accounts/users-rows.ts'
import { PasswordFactor } from '../../src/accounts/factors/password-factor.ts'
import { MailSignIn } from '../../src/accounts/sign-in/mail-sign-in.ts'
import { createMailSignInsTable } from '../../src/accounts/sign-in/mail-challenges.ts'
import { Password } from '../../src/accounts/passwords/password.ts'
import { createTokensTable } from '../../src/accounts/tokens/tokens.ts'
import { createTrustsTable, Trust } from '../../src/accounts/devices/trust.ts'
import { createUsersTable } from '../../src/accounts/users-rows.ts'
import { Users } from '../../src/accounts/users.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { Emitter } from '../../src/events/emitter.ts'
import { Authenticating } from '../../src/accounts/guards/authenticating.ts'
import { Authentication } from '../../src/accounts/guards/authentication.ts'
import type { AuthenticationOptions } from '../../src/accounts/guards/authentication.ts'
import { Confirmation } from '../../src/accounts/guards/confirmation.ts'
import { Remember } from '../../src/accounts/devices/remember.ts'
import type { RememberOptions } from '../../src/accounts/devices/remember.ts'
import { SessionGuard } from '../../src/accounts/guards/session-guard.ts'
import { SignIn } from '../../src/accounts/sign-in/sign-in.ts'
import { SignInGate } from '../../src/accounts/sign-in/sign-in-gate.ts'
import type { SignInGateOptions } from '../../src/accounts/sign-in/sign-in-gate.ts'
import { Forms } from '../../src/http/middlewares/forms.ts'
import { Sessions } from '../../src/http/session/sessions.ts'
import type { SessionsOptions } from '../../src/http/session/sessions.ts'
import { Server } from '../../src/http/server/server.ts'
import { createSessionsTable, SqlSessions } from '../../src/http/session/sql-sessions.ts'
import type { SessionStore } from '../../src/http/session/session-store.ts'
import { someKey } from '../support/some-key.ts'
import { declareGateRoutes } from './auth-gate-routes.ts'
import { AuthVisitor, password } from './auth-visitor.ts'

/** A hash that only tells passwords apart; its cost is tested elsewhere. */
const cheapHash: Argon2Derive = async (_algorithm, { message, nonce }) =>
  createHash('sha256')
    .update(JSON.stringify([message, nonce]))
    .digest()

/** Options of the site. */
export interface AuthSiteOptions {
  readonly remember?: RememberOptions
  readonly fallback?: AuthenticationOptions['fallback'] | null
  readonly gate?: Omit<SignInGateOptions, 'clock'>
  /** Whether what happens to accounts is recorded. @default false */
  readonly activity?: boolean
  readonly load?: boolean
  readonly onClaim?: CredentialsOptions['onClaim']
  readonly sessions?: SessionsOptions
  readonly environment?: Environments
  /** The session store. @default the database */
  readonly store?: SessionStore
}

/** A site with accounts and a fixed clock that records what happens. */
export class AuthSite {
  readonly server: Server
  readonly users: Users
  readonly trust: Trust
  readonly sessions: Sessions
  readonly credentials: Credentials
  readonly activity: AccountActivity | null
  readonly emitter: Emitter = new Emitter()
  readonly confirmation: Confirmation
  readonly mailSignIn: MailSignIn
  readonly remember: Remember
  readonly signIn: SignIn
  readonly database: Database
  readonly clock: { now: number }
  readonly reported: Error[] = []
  /** Every authentication event, by name. */
  readonly events: (readonly [name: string, payload: AuthEventPayload])[] = []
  /** Runs before the routes respond, so that a test can interleave something. */
  meanwhile: () => unknown = () => {}
  readonly #options: AuthSiteOptions

  constructor(database: Database, options: AuthSiteOptions) {
    const { environment = Environments.Production } = options
    const clock = { now: 1_000_000 }
    const throwables = createThrowables()
    throwables.reporters.push((error) => this.reported.push(error))
    const { emitter } = this
    for (const [name, event] of Object.entries(AuthEvents)) {
      emitter.listen(event, (payload) => this.events.push([name, payload]))
    }
    const shared = { clock: () => clock.now, throwables }
    const passwords = new Password({ derive: cheapHash })
    this.clock = clock
    this.database = database
    this.#options = options
    const columns = { factors: 'factors', unproven: 'email_unproven_at' }
    this.users = new Users(database, passwords, { ...shared, ...columns })
    this.trust = new Trust(database, shared)
    this.sessions = new Sessions(options.store ?? new SqlSessions(database), {
      ...shared,
      ...options.sessions,
    })
    this.activity =
      options.activity === true
        ? new AccountActivity(database, { ...shared, random: () => 1 })
        : null
    this.credentials = new Credentials(database, passwords, {
      ...shared,
      sessions: (surface) => new SqlSessions(surface),
      users: { ...shared, ...columns },
      tokens: shared,
      trust: shared,
      activity: this.activity,
      emitter,
      ...(options.onClaim !== undefined && { onClaim: options.onClaim }),
    })
    this.mailSignIn = new MailSignIn(database, {
      ...shared,
      credentials: this.credentials,
      key: someKey(),
    })
    const { trust, users } = this
    const load = options.load === true && { load: (id: string) => users.find(id) }
    this.remember = new Remember(trust, {
      emitter,
      settle: 0,
      clock: shared.clock,
      gate: new SignInGate({ clock: shared.clock, activity: this.activity, ...options.gate }),
      ...load,
      ...options.remember,
    })
    this.signIn = new SignIn({
      users,
      trust,
      remember: this.remember,
      emitter,
      clock: shared.clock,
    })
    this.confirmation = new Confirmation({
      methods: [new PasswordFactor(users), ...(options.gate?.factors ?? [])],
      activity: this.activity,
      emitter,
      clock: shared.clock,
    })
    this.server = new Server({ environment, throwables, reporter: null })
    this.server.use(this.sessions, new Forms())
    this.#declare({ ...load, key: this.remember.key })
  }

  /** Serves the site on its own database, with the accounts of Ada (1) and Bob (2). */
  static async open(t: TestContext, options: AuthSiteOptions = {}): Promise<AuthSite> {
    const database = await connect('sqlite::memory:')
    t.after(() => database.close())
    return AuthSite.on(database, options)
  }

  /** The same on an empty database. */
  static async on(database: Database, options: AuthSiteOptions = {}): Promise<AuthSite> {
    await database.transaction(async (transaction) => {
      const schema = new Schema(transaction)
      await createUsersTable(schema)
      await addFactorsColumn(schema)
      await schema.addColumn('users', (table) => table.bigint('email_unproven_at').nullable())
      await createTokensTable(schema)
      await createTrustsTable(schema)
      await createSessionsTable(schema)
      await createActivityTable(schema)
      await createMailSignInsTable(schema)
    })
    const site = new AuthSite(database, options)
    await site.users.enroll('ada@example.com', password)
    await site.users.enroll('bob@example.com', password)
    return site
  }

  /** A new browser. */
  visitor(agent: string = 'Firefox'): AuthVisitor {
    return new AuthVisitor(this.server, agent)
  }

  /** A signed-in browser. */
  async signedIn(
    fields: Readonly<Record<string, string>> = {},
    agent: string = 'Firefox',
  ): Promise<AuthVisitor> {
    const visitor = this.visitor(agent)
    await visitor.logsIn(fields)
    return visitor
  }

  /** The names of the events so far. */
  get told(): readonly string[] {
    return this.events.map(([name]) => name)
  }

  #declare(load: ConstructorParameters<typeof SessionGuard>[0]): void {
    const { router } = this.server
    const { fallback = (_request, response) => response.redirect('/login') } = this.#options
    const visitors = new Authenticating(new SessionGuard(load), this.remember)
    const guard = new Authentication(visitors, fallback === null ? {} : { fallback })
    const guarded = { middlewares: [guard] }
    declareGateRoutes(this, guard)
    router.post('/login', async (request, response) => {
      // Reads the session before anything else, as the CSRF middleware does.
      await request.session.get('identity')
      const { email = '', password: given = '' } = request.fields
      const identity = await this.users.verify(email, given)
      await this.meanwhile()
      if (identity === null) {
        this.signIn.refuse(request)
        return response.redirect('/login')
      }
      const remember = request.fields['remember'] !== undefined
      const outcome = await this.signIn.enter(request, response, identity, { remember })
      if (outcome === 'pending') return response.redirect('/code')
      return response.redirect(await this.signIn.destination(request, '/account'))
    })
    router.post('/register', async (request, response) => {
      const { email = '', password: given = '' } = request.fields
      const id = await this.users.enroll(email, given)
      const identity: Identity | null = id === null ? null : await this.users.find(id)
      if (identity === null) return response.redirect('/register')
      await this.signIn.enter(request, response, identity, { as: 'registered' })
      return response.redirect('/account')
    })
    router.post('/logout', async (request, response) => {
      await request.session.get('identity')
      await this.meanwhile()
      await this.signIn.leave(request, response)
      request.session.flash('message', 'Signed out.')
      return response.redirect('/login')
    })
    router.get('/session/:key', async ({ session, params }, response) =>
      response.json(await session.get(params.key)),
    )
    router.any(
      '/account/*rest',
      async (request) => {
        await this.meanwhile()
        return request.identity
      },
      guarded,
    )
    router.any(
      '/account',
      async (request) => {
        await this.meanwhile()
        return request.identity
      },
      guarded,
    )
    router.get(
      '/leaves',
      async (request, response) => {
        await this.signIn.leave(request, response)
        request.session.set('note', 'bye')
        return response.text('bye')
      },
      guarded,
    )
    router.get(
      '/enters',
      async (request, response) => {
        const identity = await this.users.find(request.identity?.id ?? '')
        if (identity === null) return null
        return this.signIn.enter(request, response, identity, { remember: true })
      },
      guarded,
    )
    // Public pages. They authenticate twice, as a page with its own layout would.
    router.any('/', async (request, response) => {
      await visitors.authenticate(request, response)
      await this.meanwhile()
      if (request.identity === null) await visitors.authenticate(request, response)
      return response.json(request.identity)
    })
    router.get('/open-fails', async (request, response) => {
      await visitors.authenticate(request, response)
      throw new Error('planted')
    })
    router.get('/notes/:note', ({ session, params }) => session.set('note', params.note))
    router.get(
      '/fails',
      () => {
        throw new Error('planted')
      },
      guarded,
    )
  }
}
