import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { SessionSite } from '../conformance/session-visitor.ts'
import type { SessionRow, SessionStore } from '../../src/http/session/session-store.ts'

/** Makes a store of its own for a test. */
export type OpenStore = (t: TestContext) => Promise<SessionStore>

/** A digest nobody else has. */
export function someDigest(): string {
  return randomBytes(32).toString('hex')
}

/** A whole row, of which a test says what matters to it. */
export function someRow(facts: Partial<SessionRow> = {}): SessionRow {
  return {
    data: '{"values":{},"flash":{}}',
    identity: null,
    device: null,
    created: 1000,
    used: 1000,
    expires: 8200,
    agent: 'Firefox',
    peer: '192.0.2.1',
    ...facts,
  }
}

async function digestsOf(store: SessionStore, identity: string): Promise<readonly string[]> {
  return (await store.list(identity)).map(({ digest }) => digest).sort()
}

/** The contract of every store, as tests. */
export function testStore(open: OpenStore): void {
  test('a created session is read with revision 1, another one is not found', async (t) => {
    const store = await open(t)
    const digest = someDigest()
    await store.create(digest, someRow({ data: '{"a":1}', created: 5, used: 6 }))
    const found = await store.read(digest)
    assert.deepEqual(
      [found?.data, found?.revision, found?.created, found?.used],
      ['{"a":1}', 1, 5, 6],
    )
    assert.equal(await store.read(someDigest()), null)
  })

  test('a session is live for its own identity until it ends, and never while it waits for a factor', async (t) => {
    const store = await open(t)
    const [digest, waiting] = [someDigest(), someDigest()]
    await store.create(digest, someRow({ identity: '7' }))
    const data = JSON.stringify({ values: { pending: { id: '7' } }, flash: {} })
    await store.create(waiting, someRow({ identity: '7', data }))
    assert.equal(await store.isLive('7', digest), true)
    assert.equal(await store.isLive('8', digest), false)
    assert.equal(await store.isLive('7', someDigest()), false)
    assert.equal(await store.isLive('7', waiting), false)
    const listed = await store.list('7')
    assert.equal(listed.length, 2)
    assert.equal(listed.find((session) => session.digest === waiting)?.data, data)
    assert.equal(await store.destroyOf('7', null), 2)
    assert.equal(await store.isLive('7', digest), false)
  })

  test('a key set to null counts as absent, and falsy values are values', async (t) => {
    const ada = new SessionSite(await open(t)).visitor()
    await ada.does((session) => {
      for (const [key, value] of [
        ['a', 1],
        ['zero', 0],
        ['empty', ''],
        ['no', false],
      ] as const) {
        session.set(key, value)
      }
    })
    await ada.sets('a', null)
    const keys = ['a', 'zero', 'empty', 'no', 'never']
    const { outcome } = await ada.does((session) =>
      Promise.all(keys.map(async (key) => [await session.get(key), await session.has(key)])),
    )
    assert.deepEqual(outcome, [
      [null, false],
      [0, true],
      ['', true],
      [false, true],
      [null, false],
    ])
  })

  test('of many concurrent creations of one session exactly one succeeds, and the others write nothing', async (t) => {
    const store = await open(t)
    const digest = someDigest()
    const done = await Promise.all(
      Array.from({ length: 20 }, (_, at) => store.create(digest, someRow({ data: `${at}` }))),
    )
    assert.equal(done.filter(Boolean).length, 1)
    const found = await store.read(digest)
    assert.deepEqual([found?.data, found?.revision], [`${done.indexOf(true)}`, 1])
    assert.equal(await store.create(digest, someRow({ identity: '7' })), false)
    assert.deepEqual(await store.list('7'), [])
    await store.destroy(digest)
    assert.equal(await store.create(digest, someRow()), true)
  })

  test('every text of up to 64 KiB is returned unchanged', async (t) => {
    const store = await open(t)
    const row = someRow({
      data: JSON.stringify({ text: `\0 ' " \\ \n é 😀 \ud800 ${'x'.repeat(65_000)}` }),
      identity: `o'brien "é😀" \\ %_`,
      agent: '" \\ \' é ÿ'.padEnd(255, 'x'),
      peer: 'y'.repeat(64),
    })
    const digest = someDigest()
    await store.create(digest, row)
    assert.equal((await store.read(digest))?.data, row.data)
    const [listed] = await store.list(row.identity ?? '')
    assert.deepEqual([listed?.agent, listed?.peer], [row.agent, row.peer])
  })

  test('a save with the current revision replaces the session', async (t) => {
    const store = await open(t)
    const digest = someDigest()
    await store.create(digest, someRow())
    const next = someRow({ data: '{"b":2}', created: 7, used: 9 })
    assert.equal(await store.save(digest, 1, next, digest), true)
    const { data, revision, created, used } = (await store.read(digest)) ?? {}
    assert.deepEqual([data, revision, created, used], ['{"b":2}', 2, 7, 9])
  })

  test('a save with an old revision writes nothing', async (t) => {
    const store = await open(t)
    const digest = someDigest()
    await store.create(digest, someRow())
    await store.save(digest, 1, someRow({ data: '{"winner":1}' }), digest)
    for (const newDigest of [digest, someDigest()]) {
      assert.equal(await store.save(digest, 1, someRow({ data: '{"late":1}' }), newDigest), false)
    }
    assert.equal((await store.read(digest))?.data, '{"winner":1}')
  })

  test('a save does not restore a destroyed session', async (t) => {
    const store = await open(t)
    const digest = someDigest()
    await store.create(digest, someRow({ identity: '7' }))
    assert.equal(await store.destroy(digest), true)
    assert.equal(await store.destroy(digest), false)
    const newDigest = someDigest()
    assert.equal(await store.save(digest, 1, someRow({ identity: '7' }), newDigest), false)
    assert.equal(await store.save(digest, 1, someRow({ identity: '7' }), digest), false)
    await store.touch(digest, someRow({ used: 5000 }))
    assert.deepEqual([await store.read(digest), await store.read(newDigest)], [null, null])
    assert.deepEqual(await store.list('7'), [])
  })

  test('a session that gets another digest is no longer found under the old one', async (t) => {
    const store = await open(t)
    const [digest, newDigest] = [someDigest(), someDigest()]
    await store.create(digest, someRow({ identity: '7' }))
    assert.equal(await store.save(digest, 1, someRow({ identity: '7' }), newDigest), true)
    assert.equal(await store.read(digest), null)
    assert.equal((await store.read(newDigest))?.revision, 2)
    assert.deepEqual(await digestsOf(store, '7'), [newDigest])
  })

  test('of many concurrent saves of one revision exactly one succeeds', async (t) => {
    const store = await open(t)
    const digest = someDigest()
    await store.create(digest, someRow())
    const moves = Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? digest : someDigest()))
    const done = await Promise.all(
      moves.map((newDigest, at) => store.save(digest, 1, someRow({ data: `${at}` }), newDigest)),
    )
    assert.equal(done.filter(Boolean).length, 1)
    const winner = done.indexOf(true)
    assert.equal((await store.read(moves[winner] ?? ''))?.data, `${winner}`)
  })

  test('the time of use only moves forward, and data and revision stay unchanged', async (t) => {
    const store = await open(t)
    const digest = someDigest()
    await store.create(digest, someRow({ identity: '7' }))
    await store.touch(digest, { used: 1100, expires: 8300, agent: 'Other', peer: '192.0.2.9' })
    await store.touch(digest, { used: 1050, expires: 8250, agent: 'Late', peer: '192.0.2.8' })
    const found = await store.read(digest)
    assert.deepEqual([found?.revision, found?.used, found?.data], [1, 1100, someRow().data])
    assert.partialDeepStrictEqual(await store.list('7'), [
      {
        digest,
        data: someRow().data,
        device: null,
        created: 1000,
        used: 1100,
        agent: 'Other',
        peer: '192.0.2.9',
      },
    ])
    assert.equal(await store.save(digest, 1, someRow(), digest), true)
  })

  test('sessions are found by identity, which follows every save', async (t) => {
    const store = await open(t)
    const digests = Array.from({ length: 3 }, someDigest).sort()
    const [first = ''] = digests
    for (const digest of digests) await store.create(digest, someRow())
    assert.deepEqual(await store.list('7'), [])
    for (const digest of digests) await store.save(digest, 1, someRow({ identity: '7' }), digest)
    assert.deepEqual(await digestsOf(store, '7'), digests)
    await store.save(first, 2, someRow({ identity: '8' }), first)
    assert.deepEqual(await digestsOf(store, '8'), [first])
    assert.deepEqual(await digestsOf(store, '7'), digests.slice(1))
    await store.save(first, 3, someRow(), first)
    assert.deepEqual(await store.list('8'), [])
  })

  test('the sessions of an identity end except one, and no one else is affected', async (t) => {
    const store = await open(t)
    const mine = Array.from({ length: 4 }, someDigest)
    for (const digest of mine) await store.create(digest, someRow({ identity: 'ada' }))
    const others = ['Ada', 'ada ', 'adá', 'ad_', 'ada%']
    for (const identity of others) await store.create(someDigest(), someRow({ identity }))
    const guest = someDigest()
    await store.create(guest, someRow())
    const [kept = ''] = mine
    assert.equal(await store.destroyOf('ada', kept), 3)
    assert.deepEqual(await digestsOf(store, 'ada'), [kept])
    assert.equal(await store.destroyOf('ada', null), 1)
    assert.equal(await store.destroyOf('ada', null), 0)
    assert.equal(await store.read(kept), null)
    for (const identity of others) assert.equal((await store.list(identity)).length, 1)
    assert.notEqual(await store.read(guest), null)
  })

  test('the sessions of one device end, and no others', async (t) => {
    const store = await open(t)
    const [first, second] = ['a'.repeat(32), 'b'.repeat(64)]
    const digests = Array.from({ length: 3 }, someDigest)
    const [one = '', two = '', three = ''] = digests
    await store.create(one, someRow({ identity: 'ada', device: first }))
    await store.create(two, someRow({ identity: 'ada', device: second }))
    await store.create(three, someRow({ identity: 'ada' }))
    await store.create(someDigest(), someRow({ identity: 'bob', device: first }))
    const devices = (await store.list('ada')).map(({ digest, device }) => [digest, device] as const)
    assert.deepEqual(
      new Map(devices),
      new Map([
        [one, first],
        [two, second],
        [three, null],
      ]),
    )
    for (const none of ['c', '', 'A'.repeat(32)])
      assert.equal(await store.destroyDevice('ada', none), 0)
    assert.equal(await store.destroyDevice('ada', first), 1)
    assert.equal(await store.read(one), null)
    assert.deepEqual(await digestsOf(store, 'ada'), [two, three].sort())
    await store.save(three, 1, someRow({ identity: 'ada', device: second }), three)
    await store.save(two, 1, someRow({ identity: 'ada' }), two)
    assert.equal(await store.destroyDevice('ada', second), 1, 'the device follows every save')
    assert.deepEqual(await digestsOf(store, 'ada'), [two])
    assert.equal((await store.list('bob')).length, 1)
  })

  test('ending all sessions of an account wins against concurrent saves', async (t) => {
    const store = await open(t)
    const digests = Array.from({ length: 10 }, someDigest)
    for (const digest of digests) await store.create(digest, someRow({ identity: '7' }))
    const moved = digests.map(() => someDigest())
    const saves = digests.flatMap((digest, at) => [
      store.save(digest, 1, someRow({ identity: '7' }), moved[at] ?? ''),
      store.save(digest, 1, someRow({ identity: '7' }), digest),
    ])
    await Promise.all([...saves, store.destroyOf('7', null)])
    for (const digest of [...digests, ...moved]) assert.equal(await store.read(digest), null)
    assert.deepEqual(await store.list('7'), [])
  })
}

/** The contract of stores that do not expire sessions themselves. */
export function testSweep(open: OpenStore): void {
  test('a sweep deletes expired sessions and nothing else', async (t) => {
    const store = await open(t)
    const digests = Array.from({ length: 5 }, someDigest)
    for (const [at, digest] of digests.entries()) {
      await store.create(digest, someRow({ identity: '7', expires: 100 + at }))
    }
    assert.equal(await store.sweep(102), 3)
    assert.equal(await store.sweep(102), 0)
    const left = await Promise.all(digests.map(async (digest) => store.read(digest)))
    assert.deepEqual(
      left.map((session) => session !== null),
      [false, false, false, true, true],
    )
    assert.equal((await store.list('7')).length, 2)
  })
}
