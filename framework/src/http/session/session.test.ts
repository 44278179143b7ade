import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SessionSite } from '../../../tests/conformance/session-visitor.ts'
import { MemorySessions } from './memory-sessions.ts'
import type { SessionStore } from './session-store.ts'
import { csrfKey } from './session-keys.ts'

function site(): SessionSite {
  return new SessionSite(new MemorySessions())
}

/** A store that counts what it is asked. */
function counting(): { readonly store: SessionStore; readonly calls: string[] } {
  const calls: string[] = []
  const store = new Proxy(new MemorySessions(), {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target)
      if (typeof method !== 'function') return method
      return (...given: unknown[]): unknown => {
        calls.push(String(name))
        return Reflect.apply(method, target, given)
      }
    },
  })
  return { store, calls }
}

test('a value that was set is available in the next request of the same visitor only', async () => {
  const shop = site()
  const [ada, bob] = [shop.visitor(), shop.visitor()]
  await ada.sets('cart', { items: [1, 2] })
  assert.deepEqual(await ada.sees('cart'), { items: [1, 2] })
  assert.equal(await bob.sees('cart'), null)
})

test('a request sees what it has written itself', async () => {
  const ada = site().visitor()
  await ada.sets('a', 1)
  const { outcome } = await ada.does(async (session) => {
    session.set('a', 2)
    session.set('b', 3)
    const seen = [await session.get('a'), await session.get('b'), await session.has('b')]
    session.delete('a')
    return [...seen, await session.get('a'), await session.has('a')]
  })
  assert.deepEqual(outcome, [2, 3, true, null, false])
})

test('the names of its keys are those that were read and written, without reading anything', async () => {
  const { store, calls } = counting()
  const ada = new SessionSite(store).visitor()
  await ada.sets('a', 1)
  await ada.sets('b', 2)
  const before = calls.length
  const unread = await ada.does((session) => session.keys)
  assert.deepEqual(unread.outcome, [])
  assert.equal(calls.length, before)
  const { outcome } = await ada.does(async (session) => {
    await session.get('a')
    session.set('c', 3)
    session.delete('b')
    return session.keys
  })
  assert.deepEqual(outcome, ['a', 'c'])
})

test('a missing key is null: has is true exactly if get does not return null', async () => {
  const ada = site().visitor()
  const { cookies } = await ada.sets('nothing', null)
  assert.deepEqual(cookies, [], 'and is nothing to save')
  const { outcome } = await ada.does(async (session) => {
    session.set('pending', null)
    return Promise.all(
      ['nothing', 'pending', 'toString'].map(async (key) => [
        await session.get(key),
        await session.has(key),
      ]),
    )
  })
  assert.deepEqual(outcome, [
    [null, false],
    [null, false],
    [null, false],
  ])
})

test('pull returns and deletes a value', async () => {
  const ada = site().visitor()
  await ada.sets('intended', '/account')
  const { outcome } = await ada.does(async (session) => [
    await session.pull('intended'),
    await session.pull('intended'),
  ])
  assert.deepEqual(outcome, ['/account', null])
  assert.equal(await ada.sees('intended'), null)
})

test('a flashed value stays until it is taken, apart from the others', async () => {
  const ada = site().visitor()
  await ada.does((session) => session.flash('message', 'Welcome!'))
  assert.equal(await ada.sees('message'), null)
  assert.equal(await ada.sees('message'), null)
  const taken = await ada.does((session) => session.flash('message'))
  assert.equal(taken.outcome, 'Welcome!')
  const again = await ada.does((session) => session.flash('message'))
  assert.equal(again.outcome, null)
})

test('a flashed value may be taken by the request that wrote it', async () => {
  const ada = site().visitor()
  const { outcome, answer } = await ada.does(async (session) => {
    session.flash('errors', { email: ['Too short.'] })
    return [await session.flash('errors'), await session.flash('errors')]
  })
  assert.deepEqual(outcome, [{ email: ['Too short.'] }, null])
  assert.deepEqual(answer.cookies, [])
})

test('to read a flash that is absent writes nothing', async () => {
  const { store, calls } = counting()
  const ada = new SessionSite(store).visitor()
  const stranger = await ada.does((session) => session.flash('message'))
  assert.deepEqual([stranger.answer.cookies, calls], [[], []])
  await ada.sets('a', 1)
  calls.length = 0
  for (const read of ['flash', 'pull', 'delete'] as const) {
    const { answer } = await ada.does(async (session) => void (await session[read]('absent')))
    assert.deepEqual(answer.cookies, [])
  }
  assert.deepEqual(calls, ['read', 'read', 'read'])
})

test('nothing is read before the first use, and then once', async () => {
  const { store, calls } = counting()
  const shop = new SessionSite(store)
  const ada = shop.visitor()
  await ada.sets('a', 1)
  calls.length = 0
  await shop.server.inject({ url: '/static', headers: { cookie: ada.cookie } })
  await ada.does(() => {})
  assert.deepEqual(calls, [])
  await ada.does((session) => Promise.all([session.get('a'), session.has('b'), session.get('c')]))
  assert.deepEqual(calls, ['read'])
})

for (const cookie of ['', 'session=', 'session=x', `session=${'!'.repeat(43)}`, 'other=1']) {
  test(`a request with the cookie "${cookie.slice(0, 12)}" asks the store nothing`, async () => {
    const { store, calls } = counting()
    const visit = await new SessionSite(store).request({ cookie }, (session) => session.get('a'))
    assert.deepEqual([visit.outcome, visit.answer.status, calls], [null, 200, []])
  })
}

test('values returned by get are frozen, so that only set changes the session', async () => {
  const ada = site().visitor()
  await ada.sets('cart', { items: [1] })
  const { outcome } = await ada.does(async (session) => {
    const cart = Object(await session.get('cart'))
    assert.throws(() => cart.items.push(2), TypeError)
    session.set('other', 1)
    return true
  })
  assert.equal(outcome, true)
  assert.deepEqual(await ada.sees('cart'), { items: [1] })
})

test('regenerate moves everything to a new id, and the old one leads nowhere', async () => {
  const shop = site()
  const ada = shop.visitor()
  await ada.sets('a', 1)
  const old = ada.cookie
  await ada.does((session) => {
    session.flash('message', 'Hello')
    session.regenerate()
  })
  assert.notEqual(ada.cookie, old)
  assert.equal(await ada.sees('a'), 1)
  const thief = await shop.request({ cookie: old }, (session) => session.get('a'))
  assert.equal(thief.outcome, null)
  assert.equal((await ada.does((session) => session.flash('message'))).outcome, 'Hello')
})

test('the CSRF token goes with the id', async () => {
  const ada = site().visitor()
  await ada.sets(csrfKey, 'token')
  await ada.does((session) => session.regenerate())
  assert.equal(await ada.sees(csrfKey), null)
  await ada.does((session) => {
    session.regenerate()
    session.set(csrfKey, 'new token')
  })
  assert.equal(await ada.sees(csrfKey), 'new token')
})

test('flush takes out everything', async () => {
  const ada = site().visitor()
  await ada.does((session) => {
    session.set('identity', '7')
    session.flash('message', 'Hello')
    session.flash('errors', { email: ['Too short.'] })
  })
  await ada.does((session) => {
    session.flush()
    session.regenerate()
    session.flash('message', 'Signed out.')
  })
  const { outcome } = await ada.does(async (session) => [
    await session.get('identity'),
    await session.flash('errors'),
    await session.flash('message'),
  ])
  assert.deepEqual(outcome, [null, null, 'Signed out.'])
})

test('a session of a guest that is flushed or regenerated without values is not stored', async () => {
  const { store, calls } = counting()
  const { answer } = await new SessionSite(store).visitor().does((session) => {
    session.set('a', 1)
    session.flush()
    session.regenerate()
  })
  assert.deepEqual([answer.cookies, calls], [[], []])
})

test('an unknown id is never adopted', async () => {
  const shop = site()
  const planted = 'A'.repeat(43)
  const ada = shop.visitor()
  ada.cookie = `session=${planted}`
  const answer = await ada.sets('identity', '7')
  assert.equal(answer.cookies.length, 1)
  assert.notEqual(ada.id, planted)
  const thief = await shop.request({ cookie: `session=${planted}` }, (session) =>
    session.get('identity'),
  )
  assert.equal(thief.outcome, null)
})

test('a request that discards its writes saves nothing and sends no cookie, whatever is called', async () => {
  const { store, calls } = counting()
  const shop = new SessionSite(store)
  const ada = shop.visitor()
  await ada.sets('a', 1)
  const { cookie } = ada
  calls.length = 0
  const { answer, outcome } = await ada.does(async (session) => {
    session.set('before', 1)
    session.discardWrites()
    session.set('a', 2)
    session.flash('message', 'no')
    session.regenerate()
    session.flush()
    session.set('intended', '/account')
    return session.get('intended')
  })
  assert.deepEqual([answer.status, outcome], [200, '/account'])
  assert.deepEqual([answer.cookies, ada.cookie, calls], [[], cookie, ['read']])
  assert.equal(await ada.sees('a'), 1)
  const guest = shop.visitor()
  const discarded = await guest.does((session) => {
    session.discardWrites()
    session.set('a', 1)
  })
  assert.deepEqual(discarded.answer.cookies, [])
})

test('a request that fails leaves the session as it was', async () => {
  const shop = site()
  const ada = shop.visitor()
  await ada.sets('a', 1)
  const { cookie } = ada
  const { answer } = await ada.does((session) => {
    session.set('a', 2)
    session.regenerate()
    throw new Error('planted')
  })
  assert.deepEqual([answer.status, answer.cookies], [500, []])
  assert.deepEqual([ada.cookie, await ada.sees('a')], [cookie, 1])
})

test('a session that became too large is an error, and stays as it was', async () => {
  const shop = site()
  const ada = shop.visitor()
  await ada.sets('one', 'x'.repeat(40_000))
  const answer = await ada.sets('two', 'y'.repeat(40_000))
  assert.equal(answer.status, 500)
  assert.match(String(shop.reported[0]), /E_SESSION_SIZE|holds at most 65536/)
  assert.deepEqual([await ada.sees('one'), await ada.sees('two')], ['x'.repeat(40_000), null])
})

test('a value that is not JSON is rejected by set', async () => {
  const ada = site().visitor()
  const { outcome } = await ada.does((session) => {
    assert.throws(() => session.set('at', new Date()), { code: 'E_SESSION_VALUE' })
    assert.throws(() => session.flash('at', undefined), { code: 'E_SESSION_VALUE' })
    return 'refused'
  })
  assert.equal(outcome, 'refused')
})

test('writing after the session was saved throws', async () => {
  const shop = site()
  const { outcome } = await shop.visitor().does((session) => session)
  for (const write of [
    () => outcome?.set('a', 1),
    () => outcome?.delete('a'),
    () => outcome?.flash('a', 1),
    () => outcome?.regenerate(),
    () => outcome?.flush(),
  ]) {
    assert.throws(write, { code: 'E_SESSION_CLOSED' })
  }
  await assert.rejects(async () => outcome?.pull('a'), { code: 'E_SESSION_CLOSED' })
  await assert.rejects(async () => outcome?.flash('a'), { code: 'E_SESSION_CLOSED' })
})
