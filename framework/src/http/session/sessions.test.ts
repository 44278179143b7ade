import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SessionSite } from '../../../tests/conformance/session-visitor.ts'
import { Environments } from '../../settings/environments.ts'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import { HttpError } from '../errors/http-error.ts'
import { Server } from '../server/server.ts'
import { MemorySessions } from './memory-sessions.ts'
import type { SessionStore } from './session-store.ts'
import type { Session } from './session.ts'
import { Sessions } from './sessions.ts'

/** A site whose time stands still until it is moved. */
function frozenSite(options: { readonly identityKey?: string; readonly idle?: number } = {}): {
  readonly site: SessionSite
  readonly clock: { now: number }
} {
  const clock = { now: 1_000_000 }
  const store = new MemorySessions()
  return { site: new SessionSite(store, { ...options, clock: () => clock.now }), clock }
}

test('the cookie carries the whole policy and ends with the browser', async () => {
  const answer = await new SessionSite(new MemorySessions()).visitor().sets('a', 1)
  assert.equal(answer.cookies.length, 1)
  assert.match(
    answer.cookies[0] ?? '',
    /^session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
  )
})

test('the cookie has the name it is given, and is read by it', async () => {
  const ada = new SessionSite(new MemorySessions(), { name: '__Host-sid' }).visitor()
  await ada.sets('a', 1)
  assert.match(ada.cookie, /^__Host-sid=/)
  assert.equal(await ada.sees('a'), 1)
})

test('the cookie is sent only when the session was written under a new id, once per answer', async () => {
  const ada = new SessionSite(new MemorySessions()).visitor()
  assert.deepEqual((await ada.does((session) => session.get('a'))).answer.cookies, [])
  const first = await ada.does((session) => {
    session.set('a', 1)
    session.set('b', 1)
    session.regenerate()
    session.regenerate()
  })
  assert.equal(first.answer.cookies.length, 1)
  assert.deepEqual((await ada.does((session) => session.get('a'))).answer.cookies, [])
  assert.deepEqual((await ada.sets('a', 2)).cookies, [])
  assert.equal((await ada.does((session) => session.regenerate())).answer.cookies.length, 1)
})

test('a response that used the session has Vary: Cookie', async () => {
  const site = new SessionSite(new MemorySessions())
  const ada = site.visitor()
  const writing = await ada.sets('a', 1)
  assert.equal(writing.headers['vary'], 'Cookie')
  assert.equal(writing.headers['cache-control'], 'private')
  const { answer } = await ada.does((session) => session.get('a'))
  assert.deepEqual([answer.headers['vary'], answer.headers['cache-control']], ['Cookie', undefined])
  const other = await site.server.inject({ url: '/static', headers: { cookie: ada.cookie } })
  assert.equal(other.headers['vary'], undefined)
  const own = await site.visitor().does((session, _request, response) => {
    session.set('a', 1)
    response.header('Cache-Control', 'no-store')
  })
  assert.equal(own.answer.headers['cache-control'], 'no-store')
})

test('an error response after the session was saved still sends the new id', async () => {
  const store = new MemorySessions()
  const server = new Server({ environment: Environments.Test, reporter: null })
  server.use(async (_request, _response, next) => {
    await next()
    throw new HttpError(418)
  })
  server.use(new Sessions(store))
  server.router.get('/', (request) => request.session.set('a', 1))
  const answer = await server.inject({ url: '/' })
  assert.deepEqual([answer.status, answer.cookies.length], [418, 1])
})

test('without the middleware, or before it, the session is an error that says what to do', async () => {
  const throwables = createThrowables()
  const reported: unknown[] = []
  throwables.reporters.push((error) => reported.push(error))
  const server = new Server({ environment: Environments.Test, throwables, reporter: null })
  server.router.get('/', (request) => request.session.get('a'))
  assert.equal((await server.inject({ url: '/' })).status, 500)
  assert.match(String(reported[0]), /server\.use\(new Sessions\(store\)\)/)
  assert.equal(Object(reported[0]).code, 'E_SESSION_MISSING')
})

test('a second middleware inside the first changes nothing', async () => {
  const store = new MemorySessions()
  const server = new Server({ environment: Environments.Test, reporter: null })
  const sessions = new Sessions(store)
  server.use(sessions, sessions, new Sessions(new MemorySessions(), { name: 'other' }))
  server.router.get('/', (request) => request.session.set('a', 1))
  const { cookies } = await server.inject({ url: '/' })
  assert.equal(cookies.length, 1)
  assert.match(cookies[0] ?? '', /^session=/)
})

test('a session ends when it was idle for 2 hours', async () => {
  const { site, clock } = frozenSite()
  const ada = site.visitor()
  await ada.sets('a', 1)
  clock.now += 7199
  assert.equal(await ada.sees('a'), 1)
  clock.now += 7200
  assert.equal(await ada.sees('a'), null)
})

test('a session ends 24 hours after its id was made, however often it is used', async () => {
  const { site, clock } = frozenSite()
  const ada = site.visitor()
  await ada.sets('a', 1)
  for (let hours = 1; hours < 24; hours += 1) {
    clock.now += 3600
    await ada.sets('b', hours)
    assert.equal(await ada.sees('a'), 1)
  }
  clock.now += 3599
  assert.equal(await ada.sees('a'), 1)
  clock.now += 1
  assert.equal(await ada.sees('a'), null)
})

test('a new id starts a new lifetime', async () => {
  const { site, clock } = frozenSite({ idle: 86_400 })
  const ada = site.visitor()
  await ada.sets('a', 1)
  clock.now += 86_000
  await ada.does((session) => session.regenerate())
  clock.now += 86_000
  assert.equal(await ada.sees('a'), 1)
})

test('an ended session is not revived: later writes go to a new id', async () => {
  const { site, clock } = frozenSite()
  const ada = site.visitor()
  await ada.sets('identity', '7')
  const { cookie } = ada
  clock.now += 7200
  await ada.sets('b', 1)
  assert.notEqual(ada.cookie, cookie)
  assert.equal(await ada.sees('identity'), null)
})

test('reads renew the idle time, at most once a minute', async () => {
  const { site, clock } = frozenSite()
  const ada = site.visitor()
  await ada.sets('identity', '7')
  const start = clock.now
  const used = async (): Promise<number | undefined> => (await site.sessions.list('7'))[0]?.used
  for (const [seconds, expected] of [
    [59, 0],
    [60, 60],
    [119, 60],
    [120, 120],
  ] as const) {
    clock.now = start + seconds
    await ada.sees('a')
    assert.equal(await used(), start + expected)
  }
  clock.now = start + 500
  await ada.does(() => {})
  assert.equal(await used(), start + 120, 'a request that does not look at it does not use it')
})

test('a shorter time applies to existing sessions', async () => {
  const clock = { now: 1000 }
  const store = new MemorySessions()
  const before = new SessionSite(store, { clock: () => clock.now })
  const ada = before.visitor()
  await ada.sets('a', 1)
  clock.now += 600
  const after = new SessionSite(store, { clock: () => clock.now, idle: 300 })
  const visit = await after.request({ cookie: ada.cookie }, (session) => session.get('a'))
  assert.equal(visit.outcome, null)
})

test('sweep deletes expired sessions', async () => {
  const { site, clock } = frozenSite()
  await site.visitor().sets('identity', '7')
  clock.now += 7199
  assert.equal(await site.sessions.sweep(), 0)
  clock.now += 1
  assert.equal(await site.sessions.sweep(), 1)
})

test('the first session of a process and each thousandth after it sweep by themselves', async () => {
  const sweeps: number[] = []
  const store = new MemorySessions()
  store.sweep = (now) => Promise.resolve(sweeps.push(now))
  const guestLimit = { limit: 2000 }
  const site = new SessionSite(store, { clock: () => 5000, guestLimit })
  for (let count = 0; count < 1001; count += 1) await site.visitor().sets('a', 1)
  assert.deepEqual(sweeps, [5000, 5000])
})

/** A store of which one method fails, until it is mended. */
function failing(method: keyof SessionStore): { store: SessionStore; mend: () => void } {
  const store = new MemorySessions()
  const fail = (): never => {
    throw new Error('connection refused')
  }
  Object.defineProperty(store, method, { value: fail, configurable: true })
  return { store, mend: () => void Reflect.deleteProperty(store, method) }
}

const anyId = `session=${'A'.repeat(43)}`

test('a store that is down makes requests that need it a 503, and no others', async () => {
  const { store, mend } = failing('read')
  const site = new SessionSite(store)
  for (const work of [
    (session: Session) => session.get('identity'),
    (session: Session) => session.has('identity'),
    (session: Session) => session.set('identity', '7'),
    (session: Session) => session.flush(),
    (session: Session) => session.regenerate(),
    (session: Session) => session.flash('message'),
  ]) {
    const { answer } = await site.request({ cookie: anyId }, (session) => work(session))
    assert.deepEqual([answer.status, answer.cookies], [503, []])
    assert.equal(answer.headers['retry-after'], '5')
  }
  assert.match(String(Object(site.reported[0]).cause), /connection refused/)
  const { answer } = await site.request({ cookie: anyId }, () => 'not needed')
  assert.equal(answer.status, 200)
  mend()
  const back = await site.request({ cookie: anyId }, (session) => session.get('identity'))
  assert.deepEqual([back.answer.status, back.outcome], [200, null])
})

test('a store that fails to write makes the request a 503 without a cookie', async () => {
  const creating = new SessionSite(failing('create').store)
  const created = await creating.visitor().sets('a', 1)
  assert.deepEqual([created.status, created.cookies], [503, []])
  const { store, mend } = failing('save')
  const saving = new SessionSite(store).visitor()
  await saving.sets('a', 1)
  const { cookie } = saving
  const { answer } = await saving.does((session) => session.regenerate())
  assert.deepEqual([answer.status, answer.cookies], [503, []])
  assert.equal((await saving.sets('a', 2)).status, 503)
  mend()
  assert.deepEqual([saving.cookie, await saving.sees('a')], [cookie, 1])
})

test('lists and revocations fail as loudly', async () => {
  for (const [method, ask] of [
    ['list', (sessions: Sessions) => sessions.list('7')],
    ['list', (sessions: Sessions) => sessions.end('7', 'x')],
    ['destroyOf', (sessions: Sessions) => sessions.revoke('7')],
    ['sweep', (sessions: Sessions) => sessions.sweep()],
  ] as const) {
    await assert.rejects(ask(new Sessions(failing(method).store)), { status: 503 })
  }
})

test('a failing renewal or sweep is reported and does not affect the response', async () => {
  for (const method of ['touch', 'sweep'] as const) {
    const clock = { now: 1000 }
    const site = new SessionSite(failing(method).store, { clock: () => clock.now })
    const ada = site.visitor()
    await ada.sets('a', 1)
    clock.now += 100
    assert.equal(await ada.sees('a'), 1)
    assert.match(String(Object(site.reported[0]).cause), /connection refused/)
    assert.equal(site.reported.length, 1)
  }
})

test('an unreadable row is no session, and nothing of it is reported', async () => {
  const store = new MemorySessions()
  const site = new SessionSite(store)
  const ada = site.visitor()
  await ada.sets('a', 'my secret')
  const { outcome: digest } = await ada.does((session) => session.digest)
  const row = { identity: null, device: null, created: 0, used: Date.now() / 1000, expires: 9e9 }
  const broken = { ...row, data: '{"values":{"a":"my secret', agent: '', peer: '' }
  await store.save(digest ?? '', 1, { ...broken, created: row.used }, digest ?? '')
  const visit = await ada.does((session) => session.get('a'))
  assert.deepEqual([visit.answer.status, visit.outcome, site.reported], [200, null, []])
})

test('the browser and the address are kept as far as there is room', async () => {
  const site = new SessionSite(new MemorySessions())
  const ada = site.visitor('x'.repeat(1000))
  await ada.sets('identity', '7')
  const [session] = await site.sessions.list('7')
  assert.equal(session?.agent, 'x'.repeat(255))
})

for (const options of [{ idle: 119 }, { idle: 120.5 }, { lifetime: 0 }, { lifetime: Infinity }]) {
  test(`${JSON.stringify(options)} throws in the constructor`, () => {
    assert.throws(() => new Sessions(new MemorySessions(), options), { code: 'E_INVALID_ARGUMENT' })
  })
}

test('weaker cookie flags throw', () => {
  const options = Object.assign({ idle: 600 }, { secure: false })
  assert.throws(() => new Sessions(new MemorySessions(), options), { code: 'E_COOKIE' })
})
