import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { accounts } from '../../src/accounts/module/accounts-module.ts'
import type { AccountsModule } from '../../src/accounts/module/accounts-module.ts'
import { totpCode } from '../../src/accounts/factors/factor-testing.ts'
import type { Database } from '../../src/database/surface.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { Throwables } from '../../src/errors/throwables/throwables.ts'
import { routeSet } from '../../src/http/router/route-set.ts'
import type { RouteSet } from '../../src/http/router/route-set.ts'
import type { Authentication } from '../../src/accounts/guards/authentication.ts'
import type { Verified } from '../../src/accounts/guards/verified.ts'
import { linkIn } from '../../src/mail/mail-testing.ts'
import type { Boot } from '../../src/project/boot.ts'
import { openStores, storeScopes } from '../../src/project/open-stores.ts'
import { defineProject } from '../../src/project/project.ts'
import { projectServer } from '../../src/testing/project-server.ts'
import { plantProject } from '../support/plant-project.ts'
import { waitFor } from '../support/wait-for.ts'

const password = 'quiet copper lamp'
const chosen = { password, password_confirmation: password }
const layout = `<!doctype html><title><%= it.title %></title><main><%~ it.body %></main>`

interface Opened {
  readonly signedIn: Authentication
  readonly verified: Verified
  readonly deletion: { sweep(): Promise<number> } | null
}

type Services = { readonly accounts: Opened; readonly database: Database }

interface Site {
  readonly routes?: readonly RouteSet<Services>[]
  readonly files?: Readonly<Record<string, string>>
}

async function serve(
  t: TestContext,
  module: AccountsModule<Opened>,
  { routes = [], files = {} }: Site = {},
) {
  const root = plantProject(t, { 'views/layouts/main.template.html': layout, ...files })
  const configs = { ...storeScopes, ...module.configs }
  const services = async (boot: Boot<typeof configs>) => {
    const stores = await openStores(boot)
    const site = { title: 'Notes' }
    return { ...stores, site, accounts: await module.open(boot, { ...stores, site }) }
  }
  const project = defineProject({ name: 'notes', configs, services, accounts: module, routes })
  const env = { APP_KEY: randomBytes(32).toString('hex'), DATABASE_URL: 'sqlite::memory:' }
  const app = await projectServer(project, { root, env, visitors: { tokenPage: '/login' } })
  t.after(() => app.close())
  return app
}

type App = Awaited<ReturnType<typeof serve>>

async function registered(app: App, email = 'ada@example.org') {
  const visitor = app.visitor()
  const outcome = await visitor.submit('/register', { email, ...chosen })
  return { visitor, email, ...outcome }
}

async function verified(app: App, email?: string) {
  const person = await registered(app, email)
  const mail = await app.mails.sent({ to: person.email, subject: 'Verify your e-mail' })
  await person.visitor.open(linkIn(mail))
  return person
}

async function tablesOf({ services }: App): Promise<readonly string[]> {
  const found = await services.database.rows(
    sql`SELECT name FROM sqlite_master WHERE type = 'table'`,
  )
  return found.map(({ name }) => String(name)).toSorted()
}

const Staff = routeSet<Services>(
  'Staff',
  (router, { accounts: { signedIn, verified: proven } }) => {
    router.get('/desk', () => 'the desk', { middlewares: [signedIn] })
    router.get('/letters', () => 'the letters', { middlewares: [signedIn, proven] })
  },
)

test('what is off has no route and no table', async (t) => {
  const app = await serve(t, accounts({}))
  const everything = await serve(
    t,
    accounts({
      secondFactor: true,
      passkeys: true,
      mailSignIn: true,
      openId: true,
      apiTokens: { scopes: { 'notes:read': 'Read your notes' } },
      emailChange: true,
      deletion: true,
      exports: true,
      activity: true,
    }),
  )
  const { visitor } = await registered(app)
  const other = await registered(everything)
  for (const path of [
    '/account/two-factor',
    '/account/passkeys',
    '/account/tokens',
    '/account/email',
    '/account/delete',
    '/account/export',
    '/account/activity',
    '/login/mail',
  ]) {
    assert.equal((await visitor.ask(path)).status, 404, path)
    assert.notEqual((await other.visitor.ask(path)).status, 404, path)
    assert.doesNotMatch((await visitor.ask('/account')).text, new RegExp(`href="${path}"`))
  }
  assert.equal((await visitor.ask('/account')).status, 200)
  const more = (await tablesOf(everything)).filter((table) =>
    /^(?:account_(?:activity|deletions|exports)|api_tokens|email_changes|openid|passkey|recovery|totp)/.test(
      table,
    ),
  )
  assert.equal(more.length, 10, more.join())
  const few = await tablesOf(app)
  assert.deepEqual(
    few.filter((table) => more.includes(table)),
    [],
  )
})

test('a project that takes no registrations has no form for them, and no link to it', async (t) => {
  const app = await serve(t, accounts({ registration: false }))
  const visitor = app.visitor()
  assert.equal((await visitor.ask('/register')).status, 404)
  assert.equal(
    (await visitor.submit('/register', { email: 'ada@example.org', ...chosen })).status,
    404,
  )
  assert.doesNotMatch((await visitor.ask('/login')).text, /href="\/register"/)
})

test('who must have a second factor adds one after signing in, and gets back to the page', async (t) => {
  const required = ({ email }: { readonly email: string }): boolean => email.startsWith('staff')
  const app = await serve(t, accounts({ secondFactor: { required } }), { routes: [Staff] })
  const { visitor: guest } = await verified(app, 'guest@example.org')
  assert.equal((await guest.ask('/desk')).text, 'the desk')

  const { email } = await verified(app, 'staff@example.org')
  const visitor = app.visitor()
  assert.equal((await visitor.ask('/desk?day=2')).headers['location'], '/login')
  const signedIn = await visitor.submit('/login', { email, password })
  assert.equal(signedIn.to, '/desk?day=2')
  for (const path of ['/desk?day=2', '/password', '/logout/others']) {
    const { status, headers } = await visitor.ask(path)
    assert.deepEqual([status, headers['location']], [303, '/account/two-factor'], path)
    assert.equal(headers['cache-control'], 'no-store')
  }
  const json = await visitor.ask('/desk', { headers: { accept: 'application/json' } })
  assert.equal(json.status, 403)
  assert.match(json.text, /add a second step/)
  await visitor.ask('/desk?day=2')

  // The page that adds one asks for the password again, as it does of everybody.
  const asked = await visitor.ask('/account/two-factor')
  if (asked.status !== 200) await visitor.submit('/confirm/password', { password })
  const begun = await visitor.submit('/account/two-factor', {})
  const page = await visitor.ask(begun.to ?? '/account/two-factor')
  const [, secret = ''] = /secret=([A-Z2-7]+)/.exec(page.text) ?? []
  assert.notEqual(secret, '')
  const added = await visitor.submit('/account/two-factor/enable', { code: totpCode(secret) })
  assert.match(added.page, /href="\/desk\?day=2"/)
  assert.equal((await visitor.ask('/desk?day=2')).text, 'the desk')
})

test('whose address is not verified is led to the mail, and by its link back to the page', async (t) => {
  const app = await serve(t, accounts({}), { routes: [Staff] })
  const { visitor, email } = await registered(app)
  assert.equal((await visitor.ask('/letters?box=1')).headers['location'], '/account')
  const mail = await app.mails.sent({ to: email, subject: 'Verify your e-mail' })
  const opened = await visitor.open(linkIn(mail))
  assert.equal(opened.to, '/letters?box=1')
  assert.equal((await visitor.ask('/letters?box=1')).text, 'the letters')
})

test('hooks are told, with the account; what they throw is reported and nobody else feels it', async (t) => {
  const told: string[] = []
  const reported = t.mock.method(Throwables, 'notify', () => {})
  const app = await serve(
    t,
    accounts({
      deletion: true,
      on: {
        registered: async ({ email, verified: isVerified }) => {
          await Promise.resolve()
          told.push(`registered ${email} ${isVerified}`)
        },
        signedIn: ({ email }) => {
          told.push(`signedIn ${email}`)
          throw new Error('the hook has failed')
        },
      },
    }),
  )
  const { to, email } = await registered(app)
  assert.equal(to, '/account')
  const visitor = app.visitor()
  assert.equal((await visitor.submit('/login', { email, password })).to, '/account')
  await waitFor(
    'the hooks',
    () => told.includes(`signedIn ${email}`) && reported.mock.callCount() > 0,
  )
  assert.ok(told.includes(`registered ${email} false`))
  assert.equal(String(reported.mock.calls[0]?.arguments[0]), 'Error: the hook has failed')
})

test('the account stays if what must go with it cannot be deleted', async (t) => {
  let isBroken = true
  const seen: string[] = []
  const app = await serve(
    t,
    accounts({
      deletion: true,
      on: {
        deleted: async (_surface, user) => {
          seen.push(user)
          if (isBroken) throw new Error('the rows stay')
        },
      },
    }),
  )
  const { visitor } = await verified(app)
  await visitor.submit('/confirm/password', { password })
  await visitor.submit('/account/delete', {})
  const count = async (): Promise<number> =>
    Number((await app.services.database.rows(sql`SELECT count(*) AS n FROM users`))[0]?.['n'])
  await app.services.database.run(sql`UPDATE account_deletions SET due = 1`)
  const sweep = async (): Promise<unknown> => app.services.accounts.deletion?.sweep()
  assert.equal(await sweep(), 0)
  assert.deepEqual([seen, await count()], [['1'], 1])
  isBroken = false
  assert.equal(await sweep(), 1)
  assert.deepEqual([seen, await count()], [['1', '1'], 0])
})

test('a route and a view of the project take the place of built-in ones, and no others', async (t) => {
  const Own = routeSet<Services>('Own', (router) => {
    router.get('/forgot', () => 'Ask at the desk.')
  })
  const app = await serve(t, accounts({ after: { signIn: '/desk', registration: '/letters' } }), {
    routes: [Own, Staff],
    files: { 'views/accounts/login.template.html': '<h1>Our own door</h1>' },
  })
  const visitor = app.visitor()
  assert.equal((await visitor.ask('/forgot')).text, 'Ask at the desk.')
  assert.match((await visitor.ask('/login')).text, /^<h1>Our own door<\/h1>/)
  assert.match((await visitor.ask('/register')).text, /<main>[^]*name="password_confirmation"/)
  const reset = await visitor.ask('/forgot', { method: 'POST', body: new URLSearchParams() })
  assert.notEqual(reset.status, 404)
  const tokens = app.visitor({ tokenPage: '/register' })
  assert.equal(
    (await tokens.submit('/register', { email: 'ada@example.org', ...chosen })).to,
    '/letters',
  )
  await tokens.submit('/logout', {})
  assert.equal((await tokens.submit('/login', { email: 'ada@example.org', password })).to, '/desk')
})

test('a hook that would never be called is refused', () => {
  const on = { deleted: async () => {} }
  assert.throws(() => accounts({ on }), { code: 'E_ACCOUNTS', message: /turn on deletion/ })
  assert.throws(() => accounts({ on, deletion: false }), { code: 'E_ACCOUNTS' })
})

test('services without the opened accounts are an error that says what to return', async (t) => {
  const module = accounts({})
  const root = plantProject(t, { 'views/layouts/main.template.html': layout })
  const configs = { ...storeScopes, ...module.configs }
  const project = defineProject({
    name: 'notes',
    configs,
    services: (boot) => openStores(boot),
    accounts: module,
    routes: [],
  })
  const env = { APP_KEY: randomBytes(32).toString('hex'), DATABASE_URL: 'sqlite::memory:' }
  await assert.rejects(projectServer(project, { root, env }), {
    code: 'E_ACCOUNTS',
    message: /services\(\) must return the accounts/,
  })
})
