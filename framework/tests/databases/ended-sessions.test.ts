import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { newEmail, password } from '../../../demo/tests/auth/people.ts'
import { OpenIdAccounts } from '../../src/accounts/openid/open-id-accounts.ts'
import { Credentials } from '../../src/accounts/changes/credentials.ts'
import { Users } from '../../src/accounts/users.ts'
import { deviceHandle } from '../../src/accounts/devices/trust.ts'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { assembleProject } from '../../src/project/start/assemble-project.ts'
import type { RouteSummary } from '../../src/http/router/route.ts'
import type { Server } from '../../src/http/server/server.ts'
import { TestAuthenticator } from '../../src/accounts/passkeys/passkey-testing.ts'
import { linkIn } from '../../src/mail/mail-testing.ts'
import { totpCode } from '../../src/accounts/factors/factor-testing.ts'
import type { Visitor } from '../../src/testing/visitor.ts'
import { serveDemo, site } from '../support/demo-tests.ts'
import type { DemoServer } from '../support/demo-tests.ts'
import { longLimits } from '../support/long-timeouts.ts'
import { rawAnswers } from '../support/raw-answer.ts'
import { RawClient } from '../support/raw-client.ts'
import { onDatabase, onEveryDatabase } from '../support/test-databases.ts'
import type { CreateDatabase } from '../support/test-databases.ts'
import { TestIssuer } from '../support/test-issuer.ts'
import { onRedis } from '../support/test-redis.ts'

/** When the session of somebody who asks for a change ends. */
const moments = ['before the head', 'in the body', 'before the commit'] as const

/** Forms that change nothing of an account, and why nobody needs them to be refused. */
const harmless: Readonly<Record<string, string>> = {
  '/account/mailbox': 'a mail to the address of the account',
  '/account/mailbox/code': 'adds nothing; that it takes no code then is tested with mailed codes',
  '/account/passkeys/options': 'a challenge that only this session can answer',
  '/account/sign-ins/:name': 'begins in this session; what comes back is tested below',
  '/confirm/passkey/options': 'a challenge that only this session can answer',
  '/verify': 'a mail to the address of the account',
}

/** Forms that leave something in their session alone. */
const ofSession: ReadonlySet<string> = new Set(['/confirm/:method'])

/** What a form sends, and to where. */
interface Sent {
  readonly path: string
  readonly fields?: Readonly<Record<string, string>>
}

/** An account with one of everything. */
interface Owner {
  readonly id: string
  readonly email: string
  readonly passkey: string
  readonly token: string
  readonly device: string
}

const nobody = { keep: null, device: null } as const

/** What each form needs to make its change; what is not here is not tested, and fails. */
const forms: Readonly<
  Record<string, (place: Place, owner: Owner, thief: () => Promise<Visitor>) => Promise<Sent>>
> = {
  '/logout/others': async () => ({ path: '/logout/others' }),
  '/devices/:id/revoke': async (_, { device }) => ({ path: `/devices/${device}/revoke` }),
  '/sessions/:id/revoke': async (place, { id }) => {
    const { handle } = (await place.app.services.sessions.list(id))[0] ?? assert.fail()
    return { path: `/sessions/${handle}/revoke` }
  },
  '/account/access': async () => ({ path: '/account/access' }),
  '/account/two-factor': async () => ({ path: '/account/two-factor' }),
  '/account/two-factor/enable': async ({ app }, owner) => {
    const { secret } = await app.services.accounts.authenticator.begin(owner, nobody)
    return { path: '/account/two-factor/enable', fields: { code: totpCode(secret) } }
  },
  '/account/two-factor/cancel': async ({ app }, owner) => {
    await app.services.accounts.authenticator.begin(owner, nobody)
    return { path: '/account/two-factor/cancel' }
  },
  '/account/two-factor/codes': async () => ({ path: '/account/two-factor/codes' }),
  '/account/two-factor/disable': async () => ({ path: '/account/two-factor/disable' }),
  '/account/passkeys': async (_, _owner, thief) => {
    const options = await (await thief()).send('/account/passkeys/options')
    const credential = new TestAuthenticator({ origin: site }).create(options.json())
    return { path: '/account/passkeys', fields: { credential, name: 'Mine' } }
  },
  '/account/passkeys/:id/rename': async (_, { passkey }) => ({
    path: `/account/passkeys/${passkey}/rename`,
    fields: { name: 'Mine' },
  }),
  '/account/passkeys/:id/remove': async (_, { passkey }) => ({
    path: `/account/passkeys/${passkey}/remove`,
  }),
  '/account/tokens': async () => ({
    path: '/account/tokens',
    fields: { name: 'Mine', 'account:read': 'on', days: '30' },
  }),
  '/account/tokens/:id/revoke': async (_, { token }) => ({
    path: `/account/tokens/${token}/revoke`,
  }),
  '/account/email': async () => ({ path: '/account/email', fields: { email: newEmail() } }),
  '/account/email/:selector/:verifier': async ({ app }, _owner, thief) => {
    const email = newEmail()
    await (await thief()).submit('/account/email', { email })
    return { path: linkIn(await app.mails.sent({ to: email })) }
  },
  '/account/delete': async () => ({ path: '/account/delete' }),
  '/account/delete/cancel': async ({ app }, { id }) => {
    await app.services.accounts.deletion.request(id, nobody)
    return { path: '/account/delete/cancel' }
  },
  '/account/export': async () => ({ path: '/account/export' }),
  '/account/sign-ins/:name/disconnect': async () => ({
    path: '/account/sign-ins/company/disconnect',
  }),
  '/password': async () => {
    const next = 'mine from now on'
    const fields = { current: password, password: next, password_confirmation: next }
    return { path: '/password', fields }
  },
  '/confirm/:method': async ({ app }, { id }, thief) => {
    await thief()
    const codes = await app.services.accounts.authenticator.renewCodes(id, nobody)
    return { path: '/confirm/totp', fields: { code: codes?.[0] ?? '' } }
  },
}

/** The demo on one database, with a port for requests that are sent in parts. */
class Place {
  readonly app: DemoServer
  readonly port: number
  readonly routes: readonly RouteSummary[]
  readonly #server: Server
  readonly #database: Database
  /** Where the server keeps its metrics. */
  readonly #folder: string

  private constructor(
    app: DemoServer,
    { server, folder }: { readonly server: Server; readonly folder: string },
    port: number,
    database: Database,
  ) {
    this.app = app
    this.port = port
    this.routes = server.router.routes()
    this.#server = server
    this.#folder = folder
    this.#database = database
  }

  static async open(url: string, more: Readonly<Record<string, string>>): Promise<Place> {
    const env = { APP_KEY: randomBytes(32).toString('hex'), DATABASE_URL: url, ...more }
    const app = await serveDemo({ env })
    // Its own storage: two servers do not share a folder, and another test may serve the demo meanwhile.
    const folder = await mkdtemp(join(tmpdir(), 'framework-metrics-'))
    const { server } = await assembleProject({
      root: join(import.meta.dirname, '../../../demo'),
      environment: 'test',
      env: {
        ...process.env,
        LOG_LEVEL: 'silent',
        APP_URL: site,
        MAIL_HOST: '',
        MAIL_QUEUE: '',
        FRAMEWORK_OBSERVABILITY_DIR: folder,
        ...env,
      },
      workers: 1,
    })
    server.configure({ port: 0, drainTimeout: 0, limits: longLimits })
    const { port } = await server.listen({ signals: false })
    return new Place(app, { server, folder }, port, await connect(url))
  }

  async close(): Promise<void> {
    await this.#server.close()
    await rm(this.#folder, { recursive: true, force: true })
    await this.app.close()
    await this.#database.close()
  }

  /** The forms of somebody who is signed in to their account. */
  get forms(): readonly string[] {
    return this.routes
      .filter(({ method, middlewares, set }) => {
        const isOwn = set === 'Account' || set === 'Auth'
        return method !== 'GET' && isOwn && middlewares.includes('Authentication')
      })
      .map(({ pattern }) => pattern)
      .filter((pattern) => !(pattern in harmless))
  }

  async owner(): Promise<Owner> {
    const { users, authenticator, passkeys, apiTokens, openId } = this.app.services.accounts
    const email = newEmail()
    const id = (await users.enroll(email, password)) ?? assert.fail()
    await users.confirm(id)
    const { secret } = await authenticator.begin({ id, email }, nobody)
    await authenticator.enable(id, totpCode(secret), nobody)
    const options = await passkeys.creationOptions({ id, email }, 'here')
    const credential = new TestAuthenticator({ origin: site }).create(options)
    const added = await passkeys.register(
      id,
      { credential, name: 'Phone', binding: 'here' },
      nobody,
    )
    const wanted = { name: 'CI', scopes: ['account:read'], ttl: 3600 }
    const made = await apiTokens.create(id, wanted, nobody)
    const issuer = openId?.issuer('company') ?? assert.fail()
    await openId?.accounts.link(id, issuer, { subject: `sub of ${email}` }, nobody)
    const passkey = added?.handle ?? assert.fail()
    return { id, email, passkey, token: made?.token.handle ?? '', device: '' }
  }

  /** A device of the account, which the forms that end others leave there. */
  async device({ id }: Owner): Promise<string> {
    return deviceHandle((await this.app.services.accounts.trust.issue(id)).selector)
  }

  /** A confirmed session of the account. */
  async signedIn(owner: Owner): Promise<Visitor> {
    const visitor = await this.app.actingAs(owner)
    const codes = await this.app.services.accounts.authenticator.renewCodes(owner.id, nobody)
    await visitor.submit('/confirm/totp', { code: codes?.[0] ?? '' })
    return visitor
  }

  /** A function that ends this session, as its owner does in another browser. */
  async ender(owner: Owner, thief: Visitor): Promise<() => Promise<void>> {
    const { sessions } = this.app.services
    const handles = (await sessions.list(owner.id)).map(({ handle }) => handle)
    const browser = await this.app.actingAs(owner)
    const other = (await sessions.list(owner.id)).find(({ handle }) => !handles.includes(handle))
    const own = await thief.ask('/account')
    assert.equal(own.status, 200)
    const target = handles.find((handle) => !own.text.includes(`/sessions/${handle}/revoke`))
    assert.ok(other !== undefined && target !== undefined)
    const token = await browser.token()
    return async () => {
      const body = new URLSearchParams({ _token: token })
      const ended = await browser.ask(`/sessions/${target}/revoke`, { method: 'POST', body })
      assert.equal(ended.status, 303)
    }
  }

  /** Everything of an account that forms can change. */
  async state({ id }: Owner): Promise<Readonly<Record<string, unknown>>> {
    const state: Record<string, unknown> = {
      users: await this.#database.rows(sql`SELECT * FROM users WHERE id = ${id}`),
    }
    for (const table of [
      'account_deletions',
      'account_exports',
      'api_tokens',
      'email_changes',
      'openid_identities',
      'passkeys',
      'recovery_codes',
      'totp_secrets',
      'trusts',
    ]) {
      state[table] = await this.#database.rows(
        sql`SELECT * FROM ${sql.name(table)} WHERE user_id = ${id} ORDER BY id`,
      )
    }
    state['activity'] = await this.#database.rows(sql`SELECT event FROM account_activity
      WHERE user_id = ${id} AND event NOT IN ('ended', 'failed') ORDER BY id`)
    return state
  }

  /** Sends the head of a form and three bytes, then, after `meanwhile`, the rest. */
  async sendInParts(
    visitor: Visitor,
    path: string,
    body: URLSearchParams,
    meanwhile: () => Promise<void>,
  ): Promise<Answer> {
    const text = String(body)
    const cookie = Array.from(visitor.cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const client = await RawClient.connect(this.port)
    const lines = [
      `POST ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${this.port}`,
      'Connection: close',
      'Accept: text/html',
      `Cookie: ${cookie}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${text.length}`,
      'Expect: 100-continue',
    ]
    client.send(`${lines.join('\r\n')}\r\n\r\n`)
    // Sent when the body is first read: by then all guards have let the request through.
    const head = await client.until('\r\n\r\n')
    assert.match(head, /^HTTP\/1.1 100 Continue\r\n\r\n/, path)
    client.send(text.slice(0, 3))
    await meanwhile()
    const received = await client.send(text.slice(3)).ended()
    const [answer] = rawAnswers(received.slice(received.indexOf('\r\n\r\n') + 4))
    return { status: answer?.status ?? 0, to: answer?.header('Location') }
  }

  async send(visitor: Visitor, path: string, body: URLSearchParams): Promise<Answer> {
    const { status, headers } = await visitor.ask(path, { method: 'POST', body })
    return { status, to: headers['location'] }
  }
}

interface Answer {
  readonly status: number
  readonly to: string | undefined
}

/** Runs `meanwhile` once, before a method; the result says whether it did, and takes the hook away. */
function beforeMethod(
  t: TestContext,
  owner: object,
  name: string,
  meanwhile: () => Promise<void>,
): () => boolean {
  let isCalled = false
  const original = Object.getOwnPropertyDescriptor(owner, name)?.value
  const { mock } = t.mock.method(
    Object(owner),
    name,
    async function (this: unknown, ...values: readonly unknown[]) {
      if (!isCalled) {
        isCalled = true
        await meanwhile()
      }
      return Reflect.apply(original, this, values)
    },
  )
  return () => {
    mock.restore()
    return isCalled
  }
}

/**
 * Every change begins by holding the account. In SQLite nobody else can write from there on; elsewhere the
 * session can still end before the lock.
 */
function beforeHold(
  t: TestContext,
  dialect: Dialects,
  meanwhile: () => Promise<void>,
): () => boolean {
  return dialect === Dialects.SQLite
    ? beforeMethod(t, Credentials.prototype, 'hold', meanwhile)
    : beforeMethod(t, Users.prototype, 'lock', meanwhile)
}

let issuer: TestIssuer
before(async () => {
  issuer = await TestIssuer.start({ site })
})
after(() => issuer.close())

function testEndedSessions(
  dialect: Dialects,
  create: CreateDatabase,
  env: () => Readonly<Record<string, string>> = () => ({}),
): void {
  let place: Place
  before(async () => {
    place = await Place.open(await create(), { ...issuer.env(), ...env() })
  })
  after(() => place.close())

  for (const moment of moments) {
    test(`no form changes an account whose session has ended ${moment}`, async (t) => {
      const account = await place.owner()
      const changed: string[] = []
      for (const pattern of place.forms) {
        const prepare = forms[pattern] ?? assert.fail(`say in this test what ${pattern} needs`)
        const owner = { ...account, device: await place.device(account) }
        let made: Visitor | null = null
        const { path, fields } = await prepare(place, owner, async () => {
          made = await place.signedIn(owner)
          return made
        })
        const thief = made ?? (await place.signedIn(owner))
        const end = await place.ender(owner, thief)
        const body = new URLSearchParams({ _token: await thief.token(), ...fields })
        const before = await place.state(owner)
        let answer: Answer
        if (moment === 'before the head') {
          await end()
          answer = await place.send(thief, path, body)
        } else if (moment === 'in the body') {
          answer = await place.sendInParts(thief, path, body, end)
        } else if (ofSession.has(pattern)) {
          continue
        } else {
          const stop = beforeHold(t, dialect, end)
          answer = await place.send(thief, path, body)
          assert.ok(stop(), `${pattern} does not hold the account that it changes`)
        }
        const isSignIn = answer.status === 303 && answer.to === '/login'
        if (!isSignIn) changed.push(`${pattern}: ${answer.status} ${answer.to ?? ''}`)
        const after = await place.state(owner)
        for (const [table, rows] of Object.entries(before)) {
          if (!isDeepStrictEqual(rows, after[table])) changed.push(`${pattern}: ${table}`)
        }
        await place.app.services.accounts.deletion.cancel(owner.id, nobody)
      }
      assert.deepEqual(changed, [])
    })
  }

  for (const moment of ['while the issuer answers', 'before the commit']) {
    test(`no identity is linked by a session that has ended ${moment}`, async (t) => {
      const { users, authenticator } = place.app.services.accounts
      const email = newEmail()
      const id = (await users.enroll(email, password)) ?? assert.fail()
      await users.confirm(id)
      const { secret } = await authenticator.begin({ id, email }, nobody)
      await authenticator.enable(id, totpCode(secret), nobody)
      const owner = { id, email, passkey: '', token: '', device: '' }
      const thief = await place.signedIn(owner)
      const end = await place.ender(owner, thief)
      issuer.person = { sub: `thief of ${email}` }
      const { headers } = await thief.ask('/account/sign-ins/company', {
        method: 'POST',
        body: new URLSearchParams({ _token: await thief.token() }),
      })
      const { pathname, search } = await issuer.visit(
        headers['refresh']?.slice('0; url='.length) ?? '',
      )
      const before = await place.state(owner)
      const stop =
        moment === 'before the commit'
          ? beforeHold(t, dialect, end)
          : beforeMethod(t, OpenIdAccounts.prototype, 'link', end)
      const answer = await thief.ask(pathname + search)
      assert.ok(stop())
      assert.deepEqual([answer.status, answer.headers['location']], [303, '/account/sign-ins'])
      assert.equal((await thief.ask('/account/sign-ins')).headers['location'], '/login')
      assert.deepEqual(await place.state(owner), before)
    })
  }
}

onEveryDatabase((name, _open, create) => testEndedSessions(name, create))

onRedis((_open, server) => {
  onDatabase(Dialects.Postgres, (name, _openDatabase, create) =>
    testEndedSessions(name, create, () => ({
      REDIS_URL: `${server().url}?prefix=ended:${process.pid}:`,
    })),
  )
})
