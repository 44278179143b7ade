import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SessionSite } from '../../../tests/conformance/session-visitor.ts'
import { someKey } from '../../../tests/support/some-key.ts'
import { MemorySessions } from './memory-sessions.ts'
import { SessionKeys, csrfKey } from './session-keys.ts'
import type { SessionRow } from './session-store.ts'
import { Sessions } from './sessions.ts'
import type { SessionsOptions } from './sessions.ts'

/** A store that counts how often it is asked for anything. */
class Counted extends MemorySessions {
  asked = 0
  rows = 0

  override read(digest: string): ReturnType<MemorySessions['read']> {
    this.asked += 1
    return super.read(digest)
  }

  override create(digest: string, row: SessionRow): Promise<boolean> {
    this.asked += 1
    this.rows += 1
    return super.create(digest, row)
  }
}

/** A site that keeps guests in their cookies, with a clock that stands still. */
function site(options: SessionsOptions = {}): {
  shop: SessionSite
  store: Counted
  clock: { now: number }
} {
  const clock = { now: 1_000_000 }
  const store = new Counted()
  const shop = new SessionSite(store, { key: someKey(), clock: () => clock.now, ...options })
  return { shop, store, clock }
}

const guestForm = /^session=1\.[\w-]+$/
const idForm = /^session=[\w-]{43}$/

test('the session of a guest is in the cookie, with the same API, and the store is never asked', async () => {
  const { shop, store } = site()
  const ada = shop.visitor()
  const { answer } = await ada.does((session) => {
    session.set('cart', ['bread'])
    session.set('gone', 1)
    session.flash('message', 'Added.')
  })
  assert.match(ada.cookie, guestForm)
  assert.match(answer.cookies[0] ?? '', /; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
  assert.deepEqual([answer.headers['vary'], answer.headers['cache-control']], ['Cookie', 'private'])
  assert.deepEqual(await ada.sees('cart'), ['bread'])
  await ada.does((session) => session.pull('gone'))
  const flashes = async (): Promise<unknown> =>
    (await ada.does((session) => session.flash('message'))).outcome
  assert.deepEqual([await flashes(), await flashes()], ['Added.', null])
  assert.equal((await ada.does((session) => session.has('gone'))).outcome, false)
  await ada.does((session) => session.flush())
  assert.equal(await ada.sees('cart'), null)
  assert.equal(store.asked, 0)
})

test('a request that changes nothing sends no cookie: reading, an absent flash, and no use at all', async () => {
  const { shop } = site()
  const ada = shop.visitor()
  await ada.sets('a', 1)
  for (const work of [
    () => {},
    (session: { get(key: string): unknown }) => session.get('a'),
    (session: { flash(key: string): unknown }) => session.flash('message'),
  ]) {
    assert.deepEqual((await ada.does(work)).answer.cookies, [])
  }
  assert.deepEqual((await shop.visitor().does((session) => session.get('a'))).answer.cookies, [])
})

test('a guest ends with the lifetime, however often it is used, and not by being idle', async () => {
  const { shop, clock } = site()
  const ada = shop.visitor()
  await ada.sets('a', 1)
  clock.now += 86_399
  assert.equal(await ada.sees('a'), 1)
  await ada.sets('b', 1)
  clock.now += 1
  assert.deepEqual([await ada.sees('a'), await ada.sees('b')], [null, null])
})

test('a cookie from more than a minute in the future is ignored', async () => {
  const { shop, clock } = site()
  const ada = shop.visitor()
  await ada.sets('a', 1)
  clock.now -= 60
  assert.equal(await ada.sees('a'), 1)
  clock.now -= 1
  assert.equal(await ada.sees('a'), null)
})

test('a forged, garbled or foreign cookie is no session, and leads to no error and no row', async () => {
  const { shop, store } = site()
  const [ada, foreign] = [shop.visitor(), site().shop.visitor()]
  await ada.sets('a', 1)
  await foreign.sets('a', 1)
  for (const value of [
    '1.',
    '1.%',
    `1.${'x'.repeat(5000)}`,
    `${ada.id.slice(0, -4)}AAAA`,
    foreign.id,
  ]) {
    const { answer, outcome } = await shop.request({ cookie: `session=${value}` }, (session) =>
      session.get('a'),
    )
    assert.deepEqual([answer.status, outcome], [200, null])
    const next = await shop.request({ cookie: `session=${value}` }, (session) =>
      session.set('b', 1),
    )
    assert.match(next.answer.cookies[0] ?? '', /^session=1\./)
  }
  assert.deepEqual([store.asked, shop.reported], [0, []])
})

test('whatever a guest is given, the cookie has at most 3.5 KB, and the token stays', async () => {
  const { shop } = site()
  const ada = shop.visitor()
  await ada.does((session) => {
    session.set(csrfKey, 't'.repeat(43))
    session.set(SessionKeys.Intended, `/${'i'.repeat(2047)}`)
    session.flash('message', 'This form has expired.')
    session.flash('old', { text: 'x'.repeat(60_000), email: 'ada@example.com' })
  })
  assert.ok(ada.id.length <= 3584, `${ada.id.length}`)
  assert.equal(await ada.sees(csrfKey), 't'.repeat(43))
  assert.equal(String(await ada.sees(SessionKeys.Intended)).length, 2048)
  const { outcome } = await ada.does(async (session) => [
    await session.flash('message'),
    await session.flash('old'),
  ])
  assert.deepEqual(outcome, ['This form has expired.', { email: 'ada@example.com' }])
})

test('at sign-in the data moves to a row under a new id, with a new token', async () => {
  const { shop, store } = site()
  const ada = shop.visitor()
  await ada.does((session) => {
    session.set('cart', ['bread'])
    session.set(csrfKey, 'of the guest')
  })
  await ada.does((session) => {
    session.set('identity', '7')
    session.flash('message', 'Welcome back!')
  })
  assert.match(ada.cookie, idForm)
  assert.deepEqual(await ada.sees('cart'), ['bread'])
  assert.equal(await ada.sees(csrfKey), null)
  assert.equal((await ada.does((session) => session.flash('message'))).outcome, 'Welcome back!')
  assert.equal((await shop.sessions.list('7')).length, 1)
  assert.equal(store.rows, 2, 'the session and the mark of the move')
})

test('signing out ends the row and leaves a guest with the message', async () => {
  const { shop, store } = site()
  const ada = shop.visitor()
  await ada.sets('identity', '7')
  const { cookie } = ada
  await ada.does((session) => {
    session.flush()
    session.regenerate()
    session.flash('message', 'Signed out.')
  })
  assert.match(ada.cookie, guestForm)
  assert.deepEqual(await shop.sessions.list('7'), [])
  assert.equal((await ada.does((session) => session.flash('message'))).outcome, 'Signed out.')
  const old = await shop.request({ cookie }, (session) => session.get('identity'))
  assert.equal(old.outcome, null)
  const rows = store.rows
  await ada.sets('a', 1)
  assert.equal(store.rows, rows)
})

test('a new id of somebody who stays signed in is a row too', async () => {
  const { shop } = site()
  const ada = shop.visitor()
  await ada.sets('identity', '7')
  await ada.does((session) => session.regenerate())
  assert.match(ada.cookie, idForm)
  assert.equal(await ada.sees('identity'), '7')
})

test('a sign-in that waits for its second factor has a row, and ends with the sessions of its account', async () => {
  const { shop } = site()
  const ada = shop.visitor()
  await ada.does((session) => {
    session.regenerate()
    session.set(SessionKeys.Pending, { id: '7', remember: true })
  })
  assert.match(ada.cookie, idForm)
  assert.equal(await shop.sessions.revoke('7'), 1)
  assert.equal(await ada.sees(SessionKeys.Pending), null)
})

test('keepInStore gives a guest a row', async () => {
  const { shop, store } = site()
  const ada = shop.visitor()
  await ada.sets('step', 1)
  await ada.does((session) => session.keepInStore())
  assert.match(ada.cookie, idForm)
  assert.equal(await ada.sees('step'), 1)
  const [{ cookie }, rows] = [ada, store.rows]
  await ada.sets('step', 2)
  assert.deepEqual([ada.cookie, store.rows], [cookie, rows])
})

test('the cookie of a guest who has moved is still a guest, and signs in again after ten seconds', async () => {
  const { shop, clock } = site()
  const ada = shop.visitor()
  await ada.sets('a', 1)
  const { cookie } = ada
  const isMoved = async (): Promise<unknown> =>
    (await shop.request({ cookie }, (session) => session.isMoved())).outcome
  assert.equal(await isMoved(), false)
  await ada.sets('identity', '7')
  assert.equal(await isMoved(), true)
  const again = async (): Promise<readonly string[]> => {
    const { answer } = await shop.request({ cookie }, (session) => session.set('identity', '7'))
    return answer.cookies
  }
  assert.deepEqual(await again(), [])
  clock.now += 10
  assert.equal((await again()).length, 1)
  assert.deepEqual(await again(), [])
})

test('a sign-in that is not confirmed, or whose row cannot be written, can be tried again at once', async () => {
  const { shop, store } = site()
  const ada = shop.visitor()
  await ada.sets('a', 1)
  const refused = await ada.does((session) => {
    session.set('identity', '7')
    session.confirmAfterSave(async () => false)
  })
  assert.deepEqual(refused.answer.cookies, [])
  const create = store.create.bind(store)
  let calls = 0
  store.create = (...row) => {
    calls += 1
    return calls === 2 ? Promise.reject(new Error('planted')) : create(...row)
  }
  assert.equal((await ada.sets('identity', '7')).status, 503)
  assert.match(ada.cookie, guestForm)
  await ada.sets('identity', '7')
  assert.match(ada.cookie, idForm)
  assert.equal((await shop.sessions.list('7')).length, 1)
})

test('digest tells guests apart and stays while the guest does', async () => {
  const { shop } = site()
  const [ada, bob] = [shop.visitor(), shop.visitor()]
  await ada.sets('a', 1)
  await bob.sets('a', 1)
  const digest = async (visitor: typeof ada): Promise<unknown> =>
    (await visitor.does((session) => session.digest)).outcome
  const first = await digest(ada)
  assert.match(String(first), /^[0-9a-f]{64}$/)
  await ada.sets('a', 2)
  assert.equal(await digest(ada), first)
  assert.notEqual(await digest(bob), first)
  await ada.does((session) => session.regenerate())
  assert.notEqual(await digest(ada), first)
})

test('a row of a guest from before stays a row until it gets a new id', async () => {
  const { shop, store } = site()
  const earlier = new SessionSite(store)
  const ada = earlier.visitor()
  await ada.sets('cart', ['bread'])
  const visit = await shop.request({ cookie: ada.cookie }, async (session) => {
    session.set('more', 1)
    return session.get('cart')
  })
  assert.deepEqual([visit.outcome, visit.answer.cookies], [['bread'], []])
  const moved = await shop.request({ cookie: ada.cookie }, (session) => session.regenerate())
  assert.match(moved.answer.cookies[0] ?? '', /^session=1\./)
})

test('with guests in the store, a network may add a hundred rows in ten minutes; then it gets 429', async () => {
  const { shop, store, clock } = site({ guests: 'store', guestLimit: { limit: 3 } })
  for (let at = 0; at < 3; at += 1) assert.equal((await shop.visitor().sets('a', 1)).status, 200)
  clock.now += 1
  const late = shop.visitor()
  const refused = await late.sets('a', 1)
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '599'])
  assert.deepEqual([refused.cookies, store.rows], [[], 3])
  assert.equal((await late.sets('identity', '7')).status, 200, 'those who sign in are not counted')
  assert.equal((await late.does((session) => session.get('a'))).answer.status, 200)
  clock.now += 599
  assert.equal((await shop.visitor().sets('a', 1)).status, 200)
})

test("guests: 'cookie' without a key throws, and without either guests are in the store", async () => {
  const store = new MemorySessions()
  assert.throws(() => new Sessions(store, { guests: 'cookie' }), { code: 'E_INVALID_ARGUMENT' })
  const ada = new SessionSite(store).visitor()
  await ada.sets('a', 1)
  assert.match(ada.cookie, idForm)
})
