import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { demoAccount } from '../../../demo/demo-account.ts'
import { isSignedIn, registered } from '../../../demo/tests/auth/people.ts'
import { emptyDatabase, serveDemo, site } from '../support/demo-tests.ts'
import type { InjectedRequest } from '../../src/http/server/inject.ts'

const url = emptyDatabase({ after })
const app = await serveDemo({ env: { DATABASE_URL: url } })
after(() => app.close())

/** The number of requests of the disk test. */
const requests = 10_000

const file = url.slice('sqlite:'.length)
const referer = { referer: `${site}/login`, host: 'demo.example', accept: 'text/html' }
const huge = new URLSearchParams({ _token: 'x', email: 'a@b.c', text: 'x'.repeat(64_000) })
const escaped = new URLSearchParams({ text: '\u0001"\\'.repeat(1000) })
const many = new URLSearchParams(
  Array.from({ length: 100 }, (_, at): [string, string] => [`field${at}`, 'x'.repeat(80)]),
)

/** The rows of every table but that of the rate limits, and the pages of the file without its log. */
function disk(): Readonly<Record<string, unknown>> {
  const database = new DatabaseSync(file)
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    const tables = database
      .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'rate_limits'`)
      .all()
    const counts = tables.map(({ name }) => [
      name,
      Object(database.prepare(`SELECT count(*) AS n FROM "${String(name)}"`).get()).n,
    ])
    const signedIn = `SELECT count(*) AS n FROM sessions WHERE identity IS NOT NULL`
    const { n: accounts } = Object(database.prepare(signedIn).get())
    const { page_count: pages } = Object(database.prepare('PRAGMA page_count').get())
    return { ...Object.fromEntries(counts), accounts, pages }
  } finally {
    database.close()
  }
}

/** What strangers may send, of the worst kinds; none of them has a valid token. */
function worst(guest: string): readonly ((at: number) => InjectedRequest)[] {
  const post = (body: URLSearchParams, cookie: string): InjectedRequest => ({
    method: 'POST',
    url: '/logout',
    body,
    headers: { ...referer, ...(cookie !== '' && { cookie }) },
  })
  const random = (bytes: number): string => randomBytes(bytes).toString('base64url')
  return [
    () => ({ url: '/login', headers: referer }),
    (at) => ({ url: `/account?${'q'.repeat(1900)}${at}`, headers: referer }),
    () => post(huge, ''),
    () => post(escaped, guest),
    () => post(many, guest),
    () => ({ url: '/forgot', headers: { ...referer, cookie: `session=${random(32)}` } }),
    () => post(huge, `session=${random(32)}`),
    () => ({ url: '/register', headers: { ...referer, cookie: `session=1.${random(200)}` } }),
    () => post(many, `${guest.slice(0, -10)}AAAAAAAAAA`),
    (at) => ({ ...post(huge, guest), url: ['/login', '/register', '/forgot'][at % 3] ?? '' }),
  ]
}

test('10,000 requests of strangers, of the worst kinds, grow the database by nothing', async () => {
  const visitor = app.visitor()
  await visitor.ask('/login')
  const kinds = worst(`session=${visitor.cookies.get('session')}`)
  const send = async (at: number): Promise<number> => {
    const kind = kinds[at % kinds.length] ?? assert.fail('no kind')
    const { status } = await app.inject({ address: `198.51.100.${at % 3}`, ...kind(at) })
    return status
  }
  // The counters of the limits, by address and route, get their rows first.
  for (let at = 0; at < 90; at += 1) await send(at)
  const before = disk()
  const statuses = new Set<number>()
  for (let at = 0; at < requests; at += 100) {
    const answers = await Promise.all(Array.from({ length: 100 }, (_, next) => send(at + next)))
    for (const status of answers) statuses.add(status)
  }
  assert.deepEqual(disk(), before)
  assert.equal(before['sessions'], 0)
  assert.deepEqual(statuses, new Set([200, 303, 429]))
})

test('forms that guests send with their token leave eight rows of a network at most', async () => {
  for (let at = 0; at < 60; at += 1) {
    const visitor = app.visitor()
    const body = new URLSearchParams({ _token: await visitor.token() })
    const address = `203.0.113.${at}`
    assert.equal((await visitor.ask('/logout', { method: 'POST', body, address })).status, 303)
  }
  const { sessions } = disk()
  assert.ok(Number(sessions) <= 8, `${String(sessions)} rows`)
})

/** Counts the statements that the database runs until the test ends. */
function counter(t: TestContext): () => number {
  const { mock } = t
  const spies = [
    mock.method(StatementSync.prototype, 'all'),
    mock.method(StatementSync.prototype, 'run'),
    mock.method(StatementSync.prototype, 'get'),
  ]
  return () => spies.reduce((sum, spy) => sum + spy.mock.callCount(), 0)
}

test('the page of a guest costs no statement, read or write, with a cookie or without', async (t) => {
  const statements = counter(t)
  for (const path of ['/', '/login', '/register', '/forgot', '/account?from=here', '/hello/Ada']) {
    const visitor = app.visitor()
    for (const visit of ['first', 'second', 'third']) {
      await visitor.ask(path)
      assert.equal(statements(), 0, `${path}, ${visit} visit`)
    }
  }
  await app.visitor().ask('/items')
  assert.ok(statements() > 0, 'statements are counted')
})

test('the sign-in of a guest leaves one session, and signing out none', async () => {
  const before = disk()
  const { visitor } = await registered(app)
  assert.match(visitor.cookies.get('session') ?? '', /^[\w-]{43}$/)
  const signedIn = disk()
  assert.equal(Number(signedIn['accounts']), Number(before['accounts']) + 1)
  // With the mark of the move, and the form.
  assert.ok(Number(signedIn['sessions']) <= Number(before['sessions']) + 3)
  const { message } = await visitor.submit('/logout')
  assert.equal(message, 'Signed out.')
  assert.equal(disk()['accounts'], before['accounts'])
  assert.match(visitor.cookies.get('session') ?? '', /^1\./)
})

test('with COOKIE_PREFIX=__Host- the cookies of guests, sessions and devices have that prefix', async (t) => {
  const prefixed = await serveDemo({ env: { COOKIE_PREFIX: '__Host-' } })
  t.after(() => prefixed.close())
  const visitor = prefixed.visitor()
  await visitor.ask('/login')
  assert.deepEqual([...visitor.cookies.keys()], ['__Host-session'])
  const { message } = await visitor.submit('/login', { ...demoAccount, remember: '1' })
  assert.equal(message, 'Welcome back!')
  assert.deepEqual([...visitor.cookies.keys()].toSorted(), ['__Host-remember', '__Host-session'])
  visitor.cookies.delete('__Host-session')
  assert.equal(await isSignedIn(visitor), true)
})
