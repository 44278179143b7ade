import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SessionSite } from '../../../tests/conformance/session-visitor.ts'
import { MemorySessions } from './memory-sessions.ts'

/** A site whose time stands still until it is moved. */
function frozenSite(options: { readonly identityKey?: string; readonly idle?: number } = {}): {
  readonly site: SessionSite
  readonly clock: { now: number }
} {
  const clock = { now: 1_000_000 }
  const store = new MemorySessions()
  return { site: new SessionSite(store, { ...options, clock: () => clock.now }), clock }
}

test('sessions are listed by identity, the last used first, with an opaque handle', async () => {
  const { site, clock } = frozenSite()
  const [phone, laptop, bob] = ['Phone', 'Laptop', 'Bob'].map((agent) => site.visitor(agent))
  assert.ok(phone !== undefined && laptop !== undefined && bob !== undefined)
  await phone.sets('identity', '7')
  clock.now += 10
  await laptop.sets('identity', { id: '7', email: 'ada@example.com' })
  await bob.sets('identity', '8')
  const { outcome } = await phone.does((session) => site.sessions.list('7', { current: session }))
  assert.deepEqual(
    outcome?.map(({ agent, peer, created, used, current }) => [
      agent,
      peer,
      created,
      used,
      current,
    ]),
    [
      ['Laptop', '127.0.0.1', 1_000_010, 1_000_010, false],
      ['Phone', '127.0.0.1', 1_000_000, 1_000_000, true],
    ],
  )
  for (const { handle } of outcome ?? []) {
    assert.match(handle, /^[0-9a-f]{32}$/)
    assert.equal(`${phone.id} ${laptop.id}`.includes(handle), false)
  }
})

test('expired sessions are not listed', async () => {
  const { site, clock } = frozenSite()
  await site.visitor().sets('identity', '7')
  clock.now += 7200
  assert.deepEqual(await site.sessions.list('7'), [])
})

test('the index follows the key of the guard', async () => {
  const { site } = frozenSite({ identityKey: 'member' })
  const ada = site.visitor()
  await ada.sets('identity', '7')
  assert.deepEqual(await site.sessions.list('7'), [])
  await ada.sets('member', { id: 7 })
  assert.equal((await site.sessions.list('7')).length, 1)
  await ada.does((session) => session.delete('member'))
  assert.deepEqual(await site.sessions.list('7'), [])
})

test('revoke ends every session of an identity, but the one excepted', async () => {
  const { site } = frozenSite()
  const visitors = Array.from({ length: 3 }, () => site.visitor())
  for (const visitor of visitors) await visitor.sets('identity', '7')
  const other = site.visitor()
  await other.sets('identity', '8')
  const [mine] = visitors
  const ended = await mine?.does((session) => site.sessions.revoke('7', { except: session }))
  assert.equal(ended?.outcome, 2)
  const seen = await Promise.all([...visitors, other].map((visitor) => visitor.sees('identity')))
  assert.deepEqual(seen, ['7', null, null, '8'])
  assert.equal(await site.sessions.revoke('7'), 1)
  assert.equal(await mine?.sees('identity'), null)
})

test('a password change keeps the session it came from, under a new id', async () => {
  const { site } = frozenSite()
  const [here, there] = [site.visitor(), site.visitor()]
  await here.sets('identity', '7')
  await there.sets('identity', '7')
  const old = here.cookie
  await here.does(async (session) => {
    session.regenerate()
    await site.sessions.revoke('7', { except: session })
  })
  assert.notEqual(here.cookie, old)
  assert.deepEqual([await here.sees('identity'), await there.sees('identity')], ['7', null])
})

test('one session is ended by its handle, by its owner only', async () => {
  const { site } = frozenSite()
  const [ada, bob] = [site.visitor(), site.visitor()]
  await ada.sets('identity', '7')
  await bob.sets('identity', '8')
  const handle = (await site.sessions.list('7'))[0]?.handle ?? ''
  assert.equal(await site.sessions.end('8', handle), false)
  assert.equal(await site.sessions.end('7', 'unknown'), false)
  assert.equal(await ada.sees('identity'), '7')
  assert.equal(await site.sessions.end('7', handle), true)
  assert.equal(await site.sessions.end('7', handle), false)
  assert.deepEqual([await ada.sees('identity'), await bob.sees('identity')], [null, '8'])
})

test('a list has the device of each session, and the sessions of one device are ended together', async () => {
  const { site } = frozenSite()
  const visitors = ['laptop', 'laptop', 'phone', null].map((device) => ({
    visitor: site.visitor(),
    device,
  }))
  for (const { visitor, device } of visitors) {
    await visitor.does((session) => {
      session.set('identity', '7')
      if (device !== null) session.set('device', device)
    })
  }
  const stranger = site.visitor()
  await stranger.does((session) => {
    session.set('identity', '8')
    session.set('device', 'laptop')
  })
  const listed = (await site.sessions.list('7')).map(({ device }) => device)
  assert.deepEqual(listed.map(String).sort(), ['laptop', 'laptop', 'null', 'phone'])
  assert.equal(await site.sessions.endDevice('7', 'unknown'), 0)
  assert.equal(await site.sessions.endDevice('7', 'laptop'), 2)
  const seen = await Promise.all(visitors.map(({ visitor }) => visitor.sees('identity')))
  assert.deepEqual([...seen, await stranger.sees('identity')], [null, null, '7', '7', '8'])
})

test('a value under the device key that is not a handle is ignored', async () => {
  const { site } = frozenSite()
  for (const value of ['', 'a b', 'x'.repeat(65), 7, { id: '7' }]) {
    const ada = site.visitor()
    await ada.does((session) => {
      session.set('identity', '7')
      session.set('device', value)
    })
  }
  assert.deepEqual(
    [...new Set((await site.sessions.list('7')).map(({ device }) => device))],
    [null],
  )
})
