import { createSecretKey, randomBytes } from 'node:crypto'
import { Environments } from '../../src/app/environments/environments.ts'
import { AuthAudit } from '../../src/app/security/accounts/auth-audit.ts'
import { AuthEvents } from '../../src/app/security/accounts/auth-events.ts'
import { Credentials } from '../../src/app/security/accounts/credentials.ts'
import type { SessionEnder } from '../../src/app/security/accounts/credentials-options.ts'
import { Password } from '../../src/app/security/passwords/password.ts'
import { Purposes } from '../../src/app/security/tokens/purposes.ts'
import { Tokens } from '../../src/app/security/tokens/tokens.ts'
import { Trust } from '../../src/app/security/tokens/trust.ts'
import { Users } from '../../src/app/security/accounts/users.ts'
import { AccountDeletion } from '../../src/app/security/deletion/account-deletion.ts'
import { EmailChange } from '../../src/app/security/email-change/email-change.ts'
import { Encrypter } from '../../src/base/crypto/encrypter.ts'
import { Debugging } from '../../src/base/throwables/debugging.ts'
import { createThrowables } from '../../src/base/throwables/throwables.ts'
import type { Database, Surface } from '../../src/data/database/surface.ts'
import { Cache } from '../../src/services/cache/cache.ts'
import type { CacheStore } from '../../src/services/cache/cache-store.ts'
import { Emitter } from '../../src/services/events/emitter.ts'
import { exceptionsReporter } from '../../src/services/logs/exceptions-reporter.ts'
import { Logs } from '../../src/services/logs/logs.ts'
import type { PackedLetter } from '../../src/services/mail/letter.ts'
import { Mailer } from '../../src/services/mail/mailer.ts'
import { MemoryLane } from '../../src/services/mail/memory-lane.ts'
import { Message } from '../../src/services/mail/message.ts'
import * as Exporters from '../../src/services/observability/exporters/exporters.ts'
import { Observability } from '../../src/services/observability/observability.ts'
import { runQueue } from '../../src/services/queue/run-queue.ts'
import type { JobStore } from '../../src/services/queue/job-store.ts'
import { Queue } from '../../src/services/queue/queue.ts'
import { Authenticating } from '../../src/web/guards/authenticating.ts'
import { Authentication } from '../../src/web/guards/authentication.ts'
import { Remember } from '../../src/web/guards/remember.ts'
import { SessionGuard } from '../../src/web/guards/session-guard.ts'
import { SignIn } from '../../src/web/guards/sign-in.ts'
import { RateLimit } from '../../src/web/middlewares/rate-limit.ts'
import { Sessions } from '../../src/web/session/sessions.ts'
import { fieldKey } from '../../src/web/rate-limits/rate-key.ts'
import type { RateLimitStore } from '../../src/web/rate-limits/rate-limit-store.ts'
import type { Request } from '../../src/web/request/request.ts'
import { Server } from '../../src/web/server/server.ts'
import type { SessionStore } from '../../src/web/session/session-store.ts'
import { Telemetry } from '../../src/web/telemetry.ts'
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
  readonly #queue: Queue<PackedLetter>
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
    const changes = { credentials, emitter, throwables }
    this.emailChange = new EmailChange(database, { ...changes, users })
    this.deletion = new AccountDeletion(database, { ...changes, deletes: [] })
    const remember = new Remember(this.trust, { sessions, emitter })
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
