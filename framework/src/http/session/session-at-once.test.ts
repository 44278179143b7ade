import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SessionSite } from '../../../tests/conformance/session-visitor.ts'
import { MemorySessions } from './memory-sessions.ts'
import type { Session } from './session.ts'

function site(): SessionSite {
  return new SessionSite(new MemorySessions())
}

/** Two requests of one session that have both read it before either is saved. */
async function atOnce(
  shop: SessionSite,
  cookie: string,
  ...works: readonly ((session: Session) => void)[]
): Promise<readonly (readonly string[])[]> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let waiting = works.length
  const visits = await Promise.all(
    works.map((work) =>
      shop.request({ cookie }, async (session) => {
        await session.get('anything')
        if ((waiting -= 1) === 0) resolve()
        await promise
        work(session)
      }),
    ),
  )
  return visits.map(({ answer }) => answer.cookies)
}

test('the changes of concurrent requests are all kept; for the same key the last save wins', async () => {
  const shop = site()
  const ada = shop.visitor()
  await ada.sets('gone', 1)
  await atOnce(
    shop,
    ada.cookie,
    (session) => session.set('a', 1),
    (session) => session.set('b', 2),
    (session) => session.delete('gone'),
    (session) => session.set('same', 'first'),
    (session) => session.set('same', 'second'),
  )
  const { outcome } = await ada.does((session) =>
    Promise.all(['a', 'b', 'gone', 'same'].map((key) => session.get(key))),
  )
  assert.deepEqual(outcome?.slice(0, 3), [1, 2, null])
  assert.match(String(outcome?.[3]), /^(?:first|second)$/)
})

test('fifty concurrent requests lose no key', async () => {
  const shop = site()
  const ada = shop.visitor()
  await ada.sets('start', 1)
  const keys = Array.from({ length: 50 }, (_, at) => `key ${at}`)
  await atOnce(shop, ada.cookie, ...keys.map((key) => (session: Session) => session.set(key, key)))
  const { outcome } = await ada.does((session) => Promise.all(keys.map((key) => session.get(key))))
  assert.deepEqual(outcome, keys)
})

test('a late save does not bring back a session that was regenerated meanwhile', async () => {
  const shop = site()
  const ada = shop.visitor()
  await ada.sets('identity', '7')
  const [moved = [], late = []] = await atOnce(
    shop,
    ada.cookie,
    (session) => session.regenerate(),
    (session) => session.set('late', 1),
  )
  // Whichever came first: the old id is gone, and only the new one was told.
  assert.equal(moved.length, 1)
  assert.deepEqual(late, [])
  const old = await shop.request({ cookie: ada.cookie }, (session) => session.get('identity'))
  assert.equal(old.outcome, null)
})

test('a late save does not bring back a session that was ended meanwhile', async () => {
  const shop = site()
  const ada = shop.visitor()
  await ada.sets('identity', '7')
  for (const work of [
    (session: Session) => session.set('late', 1),
    (session: Session) => session.flush(),
    (session: Session) => session.regenerate(),
    (session: Session) => void session.pull('identity'),
  ]) {
    await ada.does((session) => session.regenerate())
    const visit = await shop.request({ cookie: ada.cookie }, async (session) => {
      work(session)
      await shop.sessions.revoke('7')
    })
    assert.deepEqual([visit.answer.status, visit.answer.cookies], [200, []])
    assert.deepEqual(await shop.sessions.list('7'), [])
    assert.equal(await ada.sees('identity'), null)
    ada.cookie = ''
    await ada.sets('identity', '7')
  }
})

test('a request that signs in anew while its session ends gets what it wrote and nothing else', async () => {
  const shop = site()
  const ada = shop.visitor()
  await ada.does((session) => {
    session.set('identity', '7')
    session.set('secret', 'of 7')
  })
  const visit = await ada.does(async (session) => {
    session.regenerate()
    session.set('identity', '8')
    await shop.sessions.revoke('7')
  })
  assert.equal(visit.answer.cookies.length, 1)
  assert.deepEqual([await ada.sees('identity'), await ada.sees('secret')], ['8', null])
})

test('of two concurrent requests for a new id one wins, and the other leaves nothing', async () => {
  const shop = site()
  const ada = shop.visitor()
  await ada.sets('a', 1)
  const sent = await atOnce(
    shop,
    ada.cookie,
    (session) => {
      session.regenerate()
      session.set('identity', '7')
    },
    (session) => {
      session.regenerate()
      session.set('identity', '7')
    },
  )
  assert.equal(sent.flat().length, 1)
  assert.equal((await shop.sessions.list('7')).length, 1)
})

test('undo functions run only if another request was first', async () => {
  const shop = site()
  const ada = shop.visitor()
  await ada.sets('a', 1)
  const undone: string[] = []
  const signIn = (name: string) => (session: Session) => {
    session.regenerate()
    session.set('identity', '7')
    session.confirmAfterSave(async () => undone.push(`${name} asked`) > 0)
    session.undoIfLost(async () => undone.push(`${name} undone`))
  }
  const [one = []] = await atOnce(shop, ada.cookie, signIn('one'), signIn('two'))
  const [winner, loser] = one.length === 1 ? ['one', 'two'] : ['two', 'one']
  assert.deepEqual(undone.toSorted(), [`${winner} asked`, `${loser} undone`].toSorted())
})

test('a request that lost the race takes no cookie with it', async () => {
  const shop = site()
  const ada = shop.visitor()
  await ada.sets('a', 1)
  const { answer } = await ada.does(async (session, _request, response) => {
    session.regenerate()
    session.set('identity', '7')
    response.cookie('device', 'of the one who lost')
    await shop.request({ cookie: ada.cookie }, (other) => {
      other.regenerate()
      other.set('identity', '8')
    })
  })
  assert.deepEqual([answer.status, answer.cookies], [200, []])
  assert.deepEqual(await shop.sessions.list('7'), [])
  assert.equal((await shop.sessions.list('8')).length, 1)
})

test('a sign-in that arrives just after another moved its session leaves nothing', async () => {
  let now = 1_000
  const shop = new SessionSite(new MemorySessions(), { clock: () => now })
  const ada = shop.visitor()
  await ada.sets('a', 1)
  const { cookie } = ada
  const signIn = (session: Session): void => {
    session.regenerate()
    session.set('identity', '7')
  }
  await ada.does(signIn)
  const late = await shop.request({ cookie }, signIn)
  assert.deepEqual(late.answer.cookies, [])
  assert.equal((await shop.sessions.list('7')).length, 1)
  // By then the first response was probably lost.
  now += 11
  const again = await shop.request({ cookie }, signIn)
  assert.equal(again.answer.cookies.length, 1)
})
