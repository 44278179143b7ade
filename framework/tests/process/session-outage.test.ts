import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { confirmed, newEmail, password, signedIn } from '../../../demo/tests/auth/people.ts'
import { Purposes } from '../../src/accounts/tokens/token.ts'
import { toError } from '../../src/base/to-error.ts'
import { connect } from '../../src/database/connect.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { connectRedis } from '../../src/redis/connect-redis.ts'
import { assembleProject } from '../../src/project/start/assemble-project.ts'
import type { RouteSummary } from '../../src/http/router/route.ts'
import type { InjectedResponse } from '../../src/http/server/inject.ts'
import { Sessions } from '../../src/http/session/sessions.ts'
import { RedisSessions } from '../../src/http/session/redis-sessions.ts'
import type { SessionStore } from '../../src/http/session/session-store.ts'
import { createSessionsTable, SqlSessions } from '../../src/http/session/sql-sessions.ts'
import type { Visitor } from '../../src/testing/visitor.ts'
import type { DatabaseServer } from '../support/database-server.ts'
import { emptyDatabase, serveDemo, site } from '../support/demo-tests.ts'
import type { DemoServer } from '../support/demo-tests.ts'
import { startOwnMariadb } from '../support/mariadb-server.ts'
import { startOwnPostgres } from '../support/postgres-server.ts'
import { startOwnRedis } from '../support/redis-server.ts'
import { serve } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

/** A server that the test can stop, with a session store on it. */
interface Storage {
  kill(): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
  openStore(t: TestContext): Promise<SessionStore>
  /** The variables of a demo that uses it. */
  demoSettings(t: TestContext): Promise<Readonly<Record<string, string>>>
}

async function redisStorage(): Promise<Storage> {
  const server = await startOwnRedis()
  return Object.assign(server, {
    openStore: async (t: TestContext) => {
      const redis = await connectRedis(`${server.url}?command_timeout=15`)
      t.after(() => redis.close())
      return new RedisSessions(redis)
    },
    demoSettings: async (t: TestContext) => ({
      DATABASE_URL: emptyDatabase(t),
      REDIS_URL: `${server.url}?command_timeout=15`,
    }),
  })
}

async function sqlStorage(start: () => Promise<DatabaseServer>): Promise<Storage> {
  const server = await start()
  return Object.assign(server, {
    openStore: async (t: TestContext) => {
      const database = await connect(`${await server.createDatabase()}?pool=4`)
      t.after(() => database.close())
      await database.transaction((transaction) => createSessionsTable(new Schema(transaction)))
      return new SqlSessions(database)
    },
    demoSettings: async () => ({ DATABASE_URL: await server.createDatabase() }),
  })
}

/** The status, and the identity that the server saw. */
type Seen = `${number} ${string}`

/** A browser that has its CSRF token already. */
class Client {
  readonly #visitor: Visitor
  readonly #token: string

  constructor(visitor: Visitor, token: string) {
    this.#visitor = visitor
    this.#token = token
  }

  /** Opens a page. */
  async get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    return told(await this.#visitor.ask(url, { headers }))
  }

  /** Sends a form, as a browser and as a program. */
  async post(url: string, fields: Form['fields'] = {}): Promise<readonly string[]> {
    const body = new URLSearchParams({ _token: this.#token, ...fields })
    const accept = 'application/json'
    const page = await this.#visitor.ask(url, { method: 'POST', body })
    const json = await this.#visitor.ask(url, { method: 'POST', body, headers: { accept } })
    return [told(page), json.status === 503 ? `${told(json)} ${json.text}` : told(json)]
  }
}

const reset = '/reset/:selector/:verifier'
const verification = '/verify/:selector/:verifier'
const unavailable = ['503 5', '503 5 {"error":"Service Unavailable"}']
const posts = await accountPosts()
const storages = await Promise.all([
  redisStorage().catch(toError),
  sqlStorage(startOwnPostgres).catch(toError),
  sqlStorage(startOwnMariadb).catch(toError),
])
after(async () => {
  for (const one of storages) if (!(one instanceof Error)) await one.stop()
})

for (const [at, name] of ['Redis', 'PostgreSQL', 'MariaDB'].entries()) {
  const storage = storages[at] ?? new Error('unreachable')
  test(`while ${name} is down sessions are 503, sign nobody in or out, and recover`, async (t) => {
    if (storage instanceof Error) return t.skip(storage.message)
    const store = await storage.openStore(t)
    const { port } = await serve(t, (server) => {
      server.use(new Sessions(store))
      server.router.get('/me', async (request) => String(await request.session.get('identity')))
      server.router.get('/visit', (request) => request.session.set('seen', 1))
      server.router.get('/login', (request) => request.session.set('identity', '7'))
      server.router.get('/public', () => 'open')
    })
    const cookies: string[] = []
    const ask = async (path: string, cookie = ''): Promise<Seen> => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } })
      cookies.push(...answer.headers.getSetCookie())
      const body = await answer.text()
      const said = answer.status === 503 ? answer.headers.get('retry-after') : body
      return `${answer.status} ${said ?? ''}`
    }
    await ask('/login')
    const ada = cookies.splice(0)[0]?.split(';')[0] ?? ''
    assert.equal(await ask('/me', ada), '200 7')

    const seen: Seen[] = []
    const load = new AbortController()
    t.after(() => load.abort())
    const visitors = Array.from({ length: 4 }, async () => {
      while (!load.signal.aborted) seen.push(await ask('/me', ada))
    })
    await waitFor('some answers', () => seen.length > 20)
    await storage.kill()
    await waitFor('an answer without the store', () => seen.at(-1) === '503 5')
    assert.equal(await ask('/me', ada), '503 5')
    assert.equal(await ask('/visit', ada), '503 5')
    assert.equal(await ask('/login'), '503 5')
    assert.equal(await ask('/me'), '200 null', 'a visitor without a cookie needs no store')
    assert.equal(await ask('/public', ada), '200 open')
    assert.deepEqual(cookies, [])
    await storage.restart()
    await waitFor('the session', () => seen.at(-1) === '200 7')
    load.abort()
    await Promise.all(visitors)
    assert.deepEqual([...new Set(seen)].sort(), ['200 7', '503 5'])
    assert.deepEqual(cookies, [])
  })
  test(`while ${name} is down no account route blames the visitor, and nothing is lost`, async (t) => {
    if (storage instanceof Error) return t.skip(storage.message)
    const env = await storage.demoSettings(t)
    // Tables first. In the environment \`test\` errors have no pages.
    await (await serveDemo({ env })).close()
    const app = await serveDemo({ environment: 'staging', env: { ...env, AUTH_VERIFY: 'confirm' } })
    t.after(() => app.close())
    const { owner, device, guest, forms, bearer } = await people(app)
    const links = [forms[reset], forms[verification]].map((form) => form?.url ?? '')

    await storage.kill()
    await waitFor('the loss to be noticed', async () => (await owner.get('/account')) === '503 5')
    const others: string[] = []
    const expectAway = (who: string, url: string, seen: readonly string[]): void => {
      if (!seen.every((one, at) => one === unavailable[at]))
        others.push(`${who} ${url}: ${seen.join()}`)
    }
    for (const { pattern, middlewares } of posts) {
      const { url = pattern.replaceAll(/:\w+/g, '0'.repeat(16)), fields } = forms[pattern] ?? {}
      expectAway('owner', pattern, await owner.post(url, fields))
      if (name === 'Redis') continue
      // The others refuse a guest without asking anything.
      const isGuarded = middlewares.includes('Authentication') || pattern === '/logout'
      if (isGuarded) expectAway('device', pattern, await device.post(url, fields))
      if (pattern in forms) expectAway('guest', pattern, await guest.post(url, fields))
    }
    for (const url of ['/account', '/account/tokens', '/password', '/login', '/']) {
      expectAway('owner', url, [await owner.get(url)])
      if (name !== 'Redis') expectAway('device', url, [await device.get(url)])
    }
    if (name !== 'Redis') {
      for (const url of links) expectAway('guest', url, [await guest.get(url)])
      expectAway('program', '/api/account', [await guest.get('/api/account', bearer)])
    }
    assert.deepEqual(others, [])
    assert.equal(await guest.get('/account'), '303 /login')

    await storage.restart()
    await waitFor('the session', async () => (await owner.get('/account')) === '200')
    assert.equal(await owner.get('/account/tokens'), '200', 'still confirmed')
    assert.equal(await device.get('/account'), '200', 'neither forgotten nor taken for stolen')
    assert.equal(await guest.get('/api/account', bearer), '200')
    assert.equal(await guest.get(links[0] ?? ''), '200', 'the link still works')
    const [entered] = await guest.post('/login', forms['/login']?.fields)
    assert.equal(entered, '303 /account', 'no failure was counted')
  })
}

/** A form that a guest may send, filled in correctly. */
interface Form {
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

/** The owner of an account, a browser with only the cookie of its device, and a guest, before the outage. */
async function people(app: DemoServer) {
  const { users, tokens, apiTokens } = app.services.accounts
  const email = newEmail()
  const id = (await users.enroll(email, password)) ?? ''
  await users.confirm(id)
  const owner = await confirmed(await signedIn(app, email))
  const remembered = await signedIn(app, email, { remember: '1' })
  const device = app.visitor()
  const guest = app.visitor()
  await guest.submit('/login/mail', { email })
  const clients = {
    owner: new Client(owner, await owner.token()),
    device: new Client(device, await device.token()),
    guest: new Client(guest, await guest.token()),
  }
  for (const [name, value] of remembered.cookies) {
    if (name.includes('remember')) device.cookies.set(name, value)
  }
  assert.equal(device.cookies.size, 2, 'the cookies of a guest and of a device')
  const wanted = { name: 'Backup', scopes: ['account:read'], ttl: 600 }
  const api = await apiTokens.create(id, wanted, { keep: null })
  const [recovery, verifying] = [
    await tokens.mint(id, Purposes.Recovery),
    await tokens.mint(id, Purposes.Verification),
  ]
  const secret = `${'0'.repeat(16)}/${'0'.repeat(64)}`
  const chosen = { password, password_confirmation: password }
  const forms: Readonly<Record<string, Form>> = {
    '/login': { url: '/login', fields: { email, password } },
    '/register': { url: '/register', fields: { email: newEmail(), ...chosen } },
    '/forgot': { url: '/forgot', fields: { email } },
    '/login/mail': { url: '/login/mail', fields: { email } },
    '/login/mail/code': { url: '/login/mail/code', fields: { code: '123456' } },
    '/login/mail/:selector/:verifier': { url: `/login/mail/${secret}`, fields: {} },
    [reset]: { url: `/reset/${recovery.path}`, fields: chosen },
    [verification]: { url: `/verify/${verifying.path}`, fields: {} },
    '/account/keep/:selector/:verifier': { url: `/account/keep/${secret}`, fields: {} },
    '/email/undo/:selector/:verifier': { url: `/email/undo/${secret}`, fields: {} },
  }
  const bearer = { authorization: `Bearer ${api?.value ?? ''}` }
  return { ...clients, forms, bearer }
}

/** The status, and when or where to go on. An outage must neither set nor delete a cookie. */
function told({ status, headers, cookies }: InjectedResponse): string {
  const parts = [status, headers['retry-after'] ?? headers['location']]
  if (status === 503) parts.push(...cookies)
  return parts.filter((part) => part !== undefined).join(' ')
}

/** The unsafe routes of accounts. */
async function accountPosts(): Promise<readonly RouteSummary[]> {
  const { server } = await assembleProject({
    root: join(import.meta.dirname, '../../../demo'),
    environment: 'test',
    env: {
      LOG_LEVEL: 'silent',
      APP_URL: site,
      APP_KEY: randomBytes(32).toString('hex'),
      DATABASE_URL: 'sqlite::memory:',
      AUTH_VERIFY: 'confirm',
    },
    workers: 1,
  })
  const routes = server.router.routes()
  await server.close()
  return routes.filter(
    ({ method, set }) => method === 'POST' && (set === 'Auth' || set === 'Account'),
  )
}
