import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { password, registered } from '../../../demo/tests/auth/people.ts'
import { revokePathsOn } from '../../../demo/tests/auth/read-page.ts'
import { serveDemo } from '../support/demo-tests.ts'
import { accountDigest } from '../../src/accounts/auth-events.ts'
import { ApplicationKey } from '../../src/settings/application-key.ts'
import { SecurityLog } from '../../src/accounts/security-log.ts'
import { Logs } from '../../src/logs/logs.ts'
import type { Sink } from '../../src/logs/sink.ts'
import type { ProjectServer } from '../../src/testing/project-server.ts'
import { linkIn } from '../../src/mail/mail-testing.ts'

const key = '9f3ac1d2e4b5968778695a4b3c2d1e0ff0e1d2c3b4a5968778695a4b3c2d1e0a'

interface Watched {
  readonly app: ProjectServer
  readonly text: () => string
  /** The context of each line, without the time. */
  readonly lines: () => Readonly<Record<string, unknown>>[]
}

/** The demo, and what its security log would hold. */
async function watch(t: TestContext): Promise<Watched> {
  const app = await serveDemo({ env: { APP_KEY: key } })
  t.after(() => app.close())
  const texts: string[] = []
  const sink: Sink = {
    dropped: 0,
    write: (line) => void texts.push(line),
    flush: () => Promise.resolve(),
    flushSync: () => {},
    close: () => Promise.resolve(),
  }
  const log = new SecurityLog({ logs: new Logs({ sinks: [sink] }), observability: null })
  t.after(() => log.close())
  const lines = (): Readonly<Record<string, unknown>>[] =>
    texts.map((text) => {
      const { at, request, ...context } = JSON.parse(text).context
      assert.ok(Number.isInteger(at))
      assert.match(request, /^[\w-]{8,}$/)
      return context
    })
  return { app, text: () => texts.join(''), lines }
}

const guest = { network: '10.0.0.0/24', user: null, account: null }

test('a refused sign-in is logged with the keyed digest of its account, never with the e-mail', async (t) => {
  const { app, lines, text } = await watch(t)
  const { email } = await registered(app)
  await app.visitor().submit('/login', { email, password: 'something else' })
  await app.visitor().submit('/login', { email: ` ${email.toUpperCase()}`, password: 'wrong' })
  const digest = accountDigest(new ApplicationKey(createSecretKey(Buffer.from(key, 'hex'))))
  const line = { kind: 'sign_in', route: 'POST /login', ...guest, account: digest(email) }
  assert.deepEqual(lines(), [line, line])
  assert.ok(!text().toLowerCase().includes(email))
})

test('a wrong current password is logged with the account', async (t) => {
  const { app, lines } = await watch(t)
  const { visitor } = await registered(app)
  await visitor.submit('/password', { current: 'wrong', password, password_confirmation: password })
  const [{ user, ...line } = {}] = lines()
  assert.match(String(user), /^\d+$/)
  assert.deepEqual(line, {
    kind: 'sign_in',
    route: 'POST /password',
    network: '10.0.0.0/24',
    account: null,
  })
})

test('a form without its token and a form of another site are logged, each as its own kind', async (t) => {
  const { app, lines } = await watch(t)
  const visitor = app.visitor()
  const body = new URLSearchParams({ email: 'ada@example.com' })
  await visitor.ask('/forgot', { method: 'POST', body })
  const headers = { origin: 'https://evil.example' }
  await visitor.ask('/forgot', { method: 'POST', body, headers })
  await visitor.ask('/forgot', {
    method: 'POST',
    body,
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  const route = 'POST /forgot'
  assert.deepEqual(lines(), [
    { kind: 'csrf', route, ...guest },
    { kind: 'origin', route, ...guest },
    { kind: 'origin', route, ...guest },
  ])
})

test('an exceeded limit is logged with its route and the network', async (t) => {
  const { app, lines } = await watch(t)
  const visitor = app.visitor()
  const body = new URLSearchParams({ _token: await visitor.token(), email: 'ada@example.com' })
  for (let sent = 0; sent < 5; sent += 1) await visitor.ask('/forgot', { method: 'POST', body })
  const line = { kind: 'limit', route: 'POST /forgot', ...guest }
  assert.deepEqual(lines(), [line, line])
})

test('revoking the session or device of another account is logged with who tried', async (t) => {
  const { app, lines } = await watch(t)
  const owner = await registered(app)
  await app.visitor().submit('/login', { email: owner.email, password, remember: '1' })
  const { text } = await owner.visitor.ask('/account')
  const [device = ''] = revokePathsOn(text, 'devices')
  const { visitor: stranger } = await registered(app)
  for (const path of [device, '/sessions/0123456789abcdef/revoke']) {
    assert.equal((await stranger.submit(path)).status, 404)
  }
  assert.deepEqual(
    lines().map(({ user, ...line }) => (assert.match(String(user), /^\d+$/), line)),
    ['POST /devices/:id/revoke', 'POST /sessions/:id/revoke'].map((route) => ({
      kind: 'foreign_id',
      route,
      network: '10.0.0.0/24',
      account: null,
    })),
  )
})

test('a verified e-mail is logged with its account', async (t) => {
  const { app, lines, text } = await watch(t)
  const { visitor, email } = await registered(app)
  const link = linkIn(await app.mails.sent({ to: email, subject: 'Verify your e-mail' }))
  assert.equal((await visitor.ask(link)).status, 303)
  const [{ user, ...line } = {}] = lines()
  assert.match(String(user), /^\d+$/)
  assert.deepEqual(line, {
    kind: 'confirmation',
    route: 'GET /verify/:selector/:verifier',
    network: '10.0.0.0/24',
    account: null,
  })
  assert.ok(!text().includes(link))
})
