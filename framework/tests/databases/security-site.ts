import { createSecretKey, randomBytes } from 'node:crypto'
import { Environments } from '../../src/settings/environments.ts'
import { AuthAudit } from '../../src/accounts/auth-audit.ts'
import { AuthEvents } from '../../src/accounts/auth-events.ts'
import { Credentials } from '../../src/accounts/changes/credentials.ts'
import type { SessionEnder } from '../../src/accounts/changes/credentials-options.ts'
import { Password } from '../../src/accounts/passwords/password.ts'
import { Purposes } from '../../src/accounts/tokens/token.ts'
import { Tokens } from '../../src/accounts/tokens/tokens.ts'
import { Trust } from '../../src/accounts/devices/trust.ts'
import { Users } from '../../src/accounts/users.ts'
import { AccountDeletion } from '../../src/accounts/changes/account-deletion.ts'
import { EmailChange } from '../../src/accounts/changes/email-change.ts'
import { Encrypter } from '../../src/base/crypto/encrypter.ts'
import { Debugging, createThrowables } from '../../src/errors/throwables/throwables.ts'
import type { Database, Surface } from '../../src/database/surface.ts'
import { Cache } from '../../src/cache/cache.ts'
import type { CacheStore } from '../../src/cache/cache-store.ts'
import { Emitter } from '../../src/events/emitter.ts'
import { exceptionsReporter } from '../../src/logs/exceptions-reporter.ts'
import { Logs } from '../../src/logs/logs.ts'
import type { PackedMessage } from '../../src/mail/raw-message.ts'
import { Mailer } from '../../src/mail/mailer.ts'
import { MemoryLane } from '../../src/mail/memory-lane.ts'
import { Message } from '../../src/mail/message.ts'
import * as Exporters from '../../src/metrics/exporters/exporters.ts'
import { Observability } from '../../src/metrics/observability.ts'
import { runQueue } from '../../src/queue/run-queue.ts'
import type { JobStore } from '../../src/queue/job-store.ts'
import { Queue } from '../../src/queue/queue.ts'
import { Authenticating } from '../../src/accounts/guards/authenticating.ts'
import { Authentication } from '../../src/accounts/guards/authentication.ts'
import { Remember } from '../../src/accounts/devices/remember.ts'
import { SessionGuard } from '../../src/accounts/guards/session-guard.ts'
import { SignIn } from '../../src/accounts/sign-in/sign-in.ts'
import { RateLimit, fieldKey } from '../../src/http/middlewares/rate-limit.ts'
import { Sessions } from '../../src/http/session/sessions.ts'
import type { RateLimitStore } from '../../src/http/rate-limits/rate-limit-store.ts'
import type { Request } from '../../src/http/request/request.ts'
import { Server } from '../../src/http/server/server.ts'
import type { SessionStore } from '../../src/http/session/session-store.ts'
import { Telemetry } from '../../src/http/observability/telemetry.ts'
import type { SecretScan } from './secret-scan.ts'

/** Where a site keeps what it keeps. */
export interface SecurityStores {
  readonly database: Database
  readonly sessions: SessionStore
  readonly sessionsOn: (surface: Surface) => SessionEnder
  readonly jobs: JobStore
  readonly cache: CacheStore
  readonly rateLimits: RateLimitStore
}

/** A site with accounts, put together from the real parts, that remembers every secret it gives out. */
export class SecuritySite {
  readonly server: Server
  readonly users: Users
  readonly tokens: Tokens
  readonly trust: Trust
  readonly credentials: Credentials
  readonly emailChange: EmailChange
  readonly deletion: AccountDeletion
  readonly password: Password
  readonly lane: MemoryLane = new MemoryLane()
  /** Every line of every channel of the log. */
  readonly lines: string[] = []
  /** Every report as it would stand on a terminal and on a page, with its context. */
  readonly reports: string[] = []
  readonly #scan: SecretScan
  readonly #observability: Observability
  readonly #audit: AuthAudit
  readonly #cache: Cache
  readonly #mailer: Mailer
  readonly #queue: Queue<PackedMessage>
  readonly #emitter: Emitter = new Emitter()
  readonly #signIn: SignIn

  constructor(stores: SecurityStores, scan: SecretScan) {
    const { database } = stores
    this.#scan = scan
    const emitter = this.#emitter
    const throwables = createThrowables()
    throwables.verbosity = 6
    const nothing = async (): Promise<void> => {}
    const sink = {
      dropped: 0,
      write: (line: string) => void this.lines.push(line),
      flush: nothing,
      flushSync: () => {},
      close: nothing,
    }
    const logs = new Logs({ sinks: [sink], level: 'debug' })
    throwables.reporters.push(exceptionsReporter(logs), (error, context) => {
      const { TARGET_CLI, TARGET_HTML } = Debugging
      const shown = [TARGET_CLI, TARGET_HTML].map((target) => throwables.render(error, target))
      this.reports.push(JSON.stringify(context), ...shown)
    })
    this.#observability = new Observability(false, { throwables })
    this.#audit = new AuthAudit({ logs, emitter, observability: this.#observability })
    new Telemetry(this.#observability, { emitter }).boot()
    this.password = new Password({ wait: 60 })
    this.users = new Users(database, this.password, { throwables })
    this.tokens = new Tokens(database, { throwables })
    this.trust = new Trust(database, { throwables })
    const sessions = new Sessions(stores.sessions, { throwables })
    this.credentials = new Credentials(database, this.password, {
      sessions: stores.sessionsOn,
      emitter,
      throwables,
    })
    const { credentials, users } = this
    const changes = { credentials, throwables }
    this.emailChange = new EmailChange(database, { ...changes, users })
    this.deletion = new AccountDeletion(database, { ...changes, deletes: [] })
    const remember = new Remember(this.trust, { emitter })
    this.#signIn = new SignIn({ users: this.users, trust: this.trust, remember, emitter })
    this.#cache = new Cache(stores.cache, { throwables })
    const encrypter = new Encrypter([createSecretKey(randomBytes(32))], 'queue')
    this.#queue = new Queue('mail', stores.jobs, { encrypter, attempts: 1 })
    this.#mailer = new Mailer(this.lane, { queue: this.#queue, throwables })
    this.server = new Server({
      environment: Environments.Production,
      emitter,
      throwables,
      reporter: null,
    })
    this.server.use(sessions)
    this.#route(
      new RateLimit({ limit: 1000, window: 60, key: fieldKey('email'), store: stores.rateLimits }),
      remember,
    )
  }

  /** Sends the mails that wait, or loses them where the server refuses. */
  async drain({ refused = false }: { readonly refused?: boolean } = {}): Promise<void> {
    const handler = refused
      ? (): never => {
          throw new Error('the server refused the letter')
        }
      : this.#mailer.work
    await runQueue(this.#queue, handler, {
      once: true,
      throwables: createThrowables(),
      registry: this.#observability,
    })
  }

  /** Everything that the registry tells, in every form. */
  metrics(): string {
    const exporters = [new Exporters.JSON(), new Exporters.Prometheus(), new Exporters.OTLP()]
    return exporters.map((exporter) => this.#observability.export(exporter)).join('\n')
  }

  /** Stops keeping record. */
  close(): void {
    this.#audit.close()
  }

  #route(limit: RateLimit, remember: Remember): void {
    const { router } = this.server
    const guarded = new Authentication(
      new Authenticating(new SessionGuard({ load: (id) => this.users.find(id) }), remember),
      { fallback: (_, response) => response.redirect('/login') },
    )
    const middlewares = [limit]
    router.post(
      '/register',
      async (request, response) => {
        const { email, password } = await this.#fields(request)
        const id = await this.users.enroll(email, password)
        const identity = id === null ? null : await this.users.find(id)
        if (identity === null) return 'taken'
        await this.#mail(email, identity.id, Purposes.Verification)
        return this.#signIn.enter(request, response, identity, { as: 'registered' })
      },
      { middlewares },
    )
    router.post(
      '/login',
      async (request, response) => {
        const { email, password, remember: wanted } = await this.#fields(request)
        const identity = await this.users.verify(email, password)
        if (identity === null) {
          this.#signIn.refuse(request)
          return 'Invalid credentials.'
        }
        await this.#cache.set(`account:${identity.id}`, identity, 60)
        return this.#signIn.enter(request, response, identity, { remember: wanted !== '' })
      },
      { middlewares },
    )
    router.post('/logout', async (request, response) => {
      await this.#signIn.leave(request, response)
      return 'out'
    })
    router.get('/verify/:selector/:verifier', async (request) => {
      const { selector, verifier } = request.params
      const user = await this.tokens.redeem(`${selector}.${verifier}`, Purposes.Verification)
      if (user === null || !(await this.users.confirm(user))) return 'invalid'
      const { peer, id } = request
      this.#emitter.emit(AuthEvents.Verified, { user, peer, request: id, at: 0 })
      return 'verified'
    })
    router.post(
      '/forgot',
      async (request) => {
        const { email } = await this.#fields(request)
        const identity = await this.users.fetch(email)
        if (identity !== null) await this.#mail(identity.email, identity.id, Purposes.Recovery)
        return 'sent'
      },
      { middlewares },
    )
    router.post('/reset/:selector/:verifier', async (request) => {
      const { password } = await this.#fields(request)
      const { selector, verifier } = request.params
      const { peer, id } = request
      const token = `${selector}.${verifier}`
      return (await this.credentials.reset(token, password, { peer, request: id })) === null
        ? 'invalid'
        : 'reset'
    })
    router.post(
      '/password',
      async (request) => {
        const { current, password } = await this.#fields(request)
        const identity = request.identity ?? { id: '' }
        if (!(await this.users.check(identity, current))) return 'wrong'
        const keep = request.session.digest
        await this.credentials.change(identity, password, {
          keep,
          peer: request.peer,
          request: request.id,
        })
        request.session.regenerate()
        return 'changed'
      },
      { middlewares: [guarded] },
    )
    router.get('/account', (request) => request.identity?.id ?? '', { middlewares: [guarded] })
    // A defect of the project in the midst of everything that is secret.
    router.post('/broken/:token', async (request) => {
      await this.#fields(request)
      throw new Error('this route is broken')
    })
  }

  async #fields(
    request: Request,
  ): Promise<Record<'email' | 'password' | 'current' | 'remember', string>> {
    const { fields } = await request.form()
    const text = (name: string): string => fields[name] ?? ''
    return {
      email: text('email'),
      password: text('password'),
      current: text('current'),
      remember: text('remember'),
    }
  }

  async #mail(email: string, user: string, purpose: Purposes): Promise<void> {
    const token = await this.tokens.mint(user, purpose)
    this.#scan.add(token.value.slice(17))
    const text = `https://shop.example/${purpose}/${token.path}`
    await this.#mailer.deliver(
      new Message({ to: email, subject: 'Your link', text, html: `<a href="${text}">link</a>` }),
    )
  }
}
