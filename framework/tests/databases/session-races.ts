import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Session } from '../../src/http/session/session.ts'
import { SessionSite } from '../conformance/session-visitor.ts'
import { FormSite } from '../support/form-site.ts'
import { barrier } from '../support/barrier.ts'
import { someKey } from '../support/some-key.ts'
import { someDigest, someRow } from './session-store-contract.ts'
import type { OpenStore } from './session-store-contract.ts'

/** What sessions promise when requests meet, as tests on a store that others share. */
export function testRaces(open: OpenStore): void {
  test('thirty concurrent requests of one session lose no key', async (t) => {
    const site = new SessionSite(await open(t))
    const ada = site.visitor()
    await ada.sets('start', 1)
    const { cookie } = ada
    const keys = Array.from({ length: 30 }, (_, at) => `key ${at}`)
    const visits = await Promise.all(
      keys.map((key) => site.request({ cookie }, (session) => session.set(key, key))),
    )
    assert.deepEqual([...new Set(visits.map(({ answer }) => answer.status))], [200])
    const { outcome } = await ada.does((session) =>
      Promise.all(keys.map((key) => session.get(key))),
    )
    assert.deepEqual(outcome, keys)
  })

  test('no request restores a session that is ended while it runs', async (t) => {
    const site = new SessionSite(await open(t))
    for (let round = 0; round < 10; round += 1) {
      const ada = site.visitor()
      await ada.sets('identity', '7')
      const { cookie } = ada
      const works: ((session: Session) => unknown)[] = [
        (session) => session.set('late', round),
        (session) => session.pull('identity'),
        (session) => session.flash('message', 'late'),
        (session) => session.regenerate(),
        () => site.sessions.revoke('7'),
        (session) => session.set('later', round),
      ]
      const visits = await Promise.all(
        works.map((work) =>
          site.request({ cookie }, async (session) => {
            await session.get('identity')
            await work(session)
          }),
        ),
      )
      assert.deepEqual([...new Set(visits.map(({ answer }) => answer.status))], [200])
      // A request that began after the end may have left a session of a guest; nobody is signed in.
      await site.sessions.revoke('7')
      const sent = [cookie, ...visits.flatMap(({ answer }) => answer.cookies)]
      for (const line of sent) {
        const visit = await site.request({ cookie: line.split(';')[0] ?? '' }, (session) =>
          session.get('identity'),
        )
        assert.equal(visit.outcome, null)
      }
    }
  })

  test('of many concurrent regenerations of one session exactly one succeeds, and the rest leave nothing', async (t) => {
    const store = await open(t)
    const site = new SessionSite(store)
    for (let round = 0; round < 8; round += 1) {
      const ada = site.visitor()
      await ada.sets('start', 1)
      const { cookie } = ada
      const identity = `user ${round}`
      const enters = (session: Session): void => {
        session.regenerate()
        session.set('identity', identity)
      }
      const leaves = (session: Session): void => {
        session.flush()
        session.regenerate()
        session.flash('message', 'Signed out.')
      }
      const works = round % 2 === 0 ? [enters, enters, enters, enters] : [enters, leaves, enters]
      const all = barrier(works.length)
      const visits = await Promise.all(
        works.map((work) =>
          site.request({ cookie }, async (session) => {
            await session.get('start')
            await all()
            work(session)
          }),
        ),
      )
      assert.deepEqual([...new Set(visits.map(({ answer }) => answer.status))], [200])
      const winners = visits.flatMap(({ answer }, at) => (answer.cookies.length > 0 ? [at] : []))
      assert.equal(winners.length, 1)
      const isIn = works[winners[0] ?? 0] === enters
      assert.equal((await store.list(identity)).length, isIn ? 1 : 0)
    }
  })

  for (const [guests, options] of [
    ['the store', {}],
    ['their cookies', { sessions: { key: someKey() } }],
  ] as const)
    test(`of equal concurrent submissions at two workers one is handled, and all get its response: guests in ${guests}`, async (t) => {
      const store = await open(t)
      const [first, second] = [new FormSite(store, options), new FormSite(store, options)]
      for (const site of [first, second]) {
        site.handle = (request, response) => {
          request.session.regenerate()
          request.session.set('identity', 'ada')
          return response.redirect('/account')
        }
      }
      for (let round = 1; round <= 5; round += 1) {
        const [here, there] = [first.visitor(), second.visitor()]
        const _token = await here.token()
        for (const [name, value] of here.cookies) there.cookies.set(name, value)
        const tabs = [here, there, here, there, here, there]
        const answers = await Promise.all(tabs.map((tab) => tab.post({ _token })))
        assert.equal(first.handled.length + second.handled.length, round)
        const told = answers.map(({ status, cookies }) => `${status} ${cookies.join()}`)
        assert.equal(new Set(told).size, 1)
        assert.match(told[0] ?? '', /^303 session=/)
        assert.equal((await store.list('ada')).length, round)
      }
      assert.deepEqual([...first.reported, ...second.reported], [])
    })

  test('of many concurrent sign-ins of one guest exactly one gets a row, and the rest leave nothing', async (t) => {
    const store = await open(t)
    const options = { key: someKey() }
    const sites = [new SessionSite(store, options), new SessionSite(store, options)]
    for (let round = 0; round < 5; round += 1) {
      const identity = `user ${round}`
      const ada = sites[0]?.visitor()
      await ada?.sets('start', 1)
      const cookie = ada?.cookie ?? ''
      const all = barrier(6)
      const undone: unknown[] = []
      const tabs = [...sites, ...sites, ...sites]
      const visits = await Promise.all(
        tabs.map((site) =>
          site.request({ cookie }, async (session) => {
            await session.get('start')
            await all()
            session.regenerate()
            session.set('identity', identity)
            session.undoIfLost(async () => undone.push(site))
          }),
        ),
      )
      assert.deepEqual([...new Set(visits.map(({ answer }) => answer.status))], [200])
      assert.equal(visits.flatMap(({ answer }) => answer.cookies).length, 1)
      assert.equal((await store.list(identity)).length, 1)
      assert.equal(undone.length, 5)
    }
  })

  test('all sessions of an account end, also those that are regenerated at that moment', async (t) => {
    const store = await open(t)
    for (let round = 0; round < 15; round += 1) {
      const identity = `user ${round}`
      const digests = Array.from({ length: 12 }, someDigest)
      await Promise.all(digests.map((digest) => store.create(digest, someRow({ identity }))))
      const moves = digests.map((digest) =>
        store.save(digest, 1, someRow({ identity }), someDigest()),
      )
      const [ended] = await Promise.all([store.destroyOf(identity, null), ...moves])
      assert.equal(ended, 12)
      assert.deepEqual(await store.list(identity), [])
    }
  })

  test('the sessions of a device end, also those that are regenerated at that moment', async (t) => {
    const store = await open(t)
    for (let round = 0; round < 15; round += 1) {
      const row = someRow({ identity: `owner ${round}`, device: 'phone' })
      const digests = Array.from({ length: 12 }, someDigest)
      await Promise.all(digests.map((digest) => store.create(digest, row)))
      const moves = digests.map((digest) => store.save(digest, 1, row, someDigest()))
      const [ended] = await Promise.all([store.destroyDevice(`owner ${round}`, 'phone'), ...moves])
      assert.equal(ended, 12)
      assert.deepEqual(await store.list(`owner ${round}`), [])
    }
  })
}
