import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Redis } from '../../src/redis/redis.ts'
import { RedisSessions } from '../../src/http/session/redis-sessions.ts'
import { SessionSite } from '../conformance/session-visitor.ts'
import { onRedis } from '../support/test-redis.ts'
import { testRaces } from './session-races.ts'
import { testSubmissions } from './submission-rows-contract.ts'
import { someDigest, someRow, testStore } from './session-store-contract.ts'

async function keysOf(redis: Redis): Promise<readonly string[]> {
  const found: unknown = await redis.call('KEYS', `${redis.prefix}*`)
  return Array.isArray(found) ? found.map(String).sort() : []
}

async function ttl(redis: Redis, key: string): Promise<number> {
  return Number(await redis.call('TTL', redis.prefix + key))
}

onRedis((open) => {
  const openStore = async (t: TestContext): Promise<RedisSessions> =>
    new RedisSessions(await open(t))
  testStore(openStore)
  testRaces(openStore)
  testSubmissions(openStore)

  test('Redis drops a session, and its index entry, when it expires', async (t) => {
    const redis = await open(t)
    const store = new RedisSessions(redis)
    const digest = someDigest()
    await store.create(digest, someRow({ identity: '7', used: 1000, expires: 1500 }))
    const near = (seconds: number, expected: number): boolean =>
      seconds <= expected && seconds > expected - 10
    assert.ok(near(await ttl(redis, `sessions:id:${digest}`), 500))
    assert.ok(near(await ttl(redis, 'sessions:of:7'), 500))
    await store.touch(digest, someRow({ used: 1200, expires: 1900 }))
    assert.ok(near(await ttl(redis, `sessions:id:${digest}`), 700))
    assert.ok(near(await ttl(redis, 'sessions:of:7'), 700))
    await store.save(digest, 1, someRow({ identity: '7', used: 1200, expires: 1300 }), digest)
    assert.ok(near(await ttl(redis, `sessions:id:${digest}`), 100))
  })

  test('the index lives as long as the last session in it', async (t) => {
    const redis = await open(t)
    const store = new RedisSessions(redis)
    await store.create(someDigest(), someRow({ identity: '7', used: 1000, expires: 2000 }))
    await store.create(someDigest(), someRow({ identity: '7', used: 1000, expires: 1100 }))
    assert.ok((await ttl(redis, 'sessions:of:7')) > 900)
    assert.equal((await store.list('7')).length, 2)
  })

  test('digests of expired sessions do not pile up in the index', async (t) => {
    const redis = await open(t)
    const store = new RedisSessions(redis)
    for (let at = 0; at < 10; at += 1) {
      const [used, expires] = [1000 + at * 200, 1150 + at * 200]
      await store.create(someDigest(), someRow({ identity: '7', used, expires }))
    }
    assert.equal(await redis.call('ZCARD', `${redis.prefix}sessions:of:7`), 1)
  })

  test('a session that was regenerated, changed its owner and ended leaves nothing behind', async (t) => {
    const redis = await open(t)
    const store = new RedisSessions(redis)
    const [digest, moved] = [someDigest(), someDigest()]
    await store.create(digest, someRow({ identity: '7' }))
    await store.save(digest, 1, someRow({ identity: '8' }), moved)
    assert.deepEqual(
      await keysOf(redis),
      [`sessions:id:${moved}`, 'sessions:of:8'].map((key) => redis.prefix + key),
    )
    await store.destroy(moved)
    assert.deepEqual(await keysOf(redis), [])
  })

  test('sessions of two applications on one Redis do not collide', async (t) => {
    const redis = await open(t)
    const [one, other] = [new RedisSessions(redis), new RedisSessions(redis, { prefix: 'other:' })]
    const digest = someDigest()
    await one.create(digest, someRow({ identity: '7' }))
    assert.equal(await other.read(digest), null)
    assert.equal(await other.destroyOf('7', null), 0)
    assert.notEqual(await one.read(digest), null)
  })

  test('no id is in any key or value', async (t) => {
    const redis = await open(t)
    const ada = new SessionSite(new RedisSessions(redis)).visitor()
    await ada.sets('identity', '7')
    const first = ada.id
    await ada.does((session) => session.regenerate())
    const keys = await keysOf(redis)
    // The session, the index, and the mark of the move.
    assert.equal(keys.length, 3)
    const dumps = await Promise.all(
      keys.map((key) =>
        key.includes(':of:') ? redis.call('ZRANGE', key, 0, -1) : redis.call('HGETALL', key),
      ),
    )
    const stored = JSON.stringify([keys, dumps])
    for (const id of [first, ada.id]) {
      const bytes = Buffer.from(id, 'base64url')
      for (const text of [id, bytes.toString('hex'), bytes.toString('base64')]) {
        assert.equal(stored.includes(text), false)
      }
    }
    assert.match(stored, /"identity","7"|identity/)
  })

  test('a value of another type under the key is a 503 that reveals nothing of the session', async (t) => {
    const redis = await open(t)
    const site = new SessionSite(new RedisSessions(redis))
    const ada = site.visitor()
    await ada.sets('a', 'my secret')
    const { outcome: digest } = await ada.does((session) => session.digest)
    await redis.call('SET', `${redis.prefix}sessions:id:${digest}`, 'something else')
    assert.equal((await ada.does((session) => session.get('a'))).answer.status, 503)
    const told = String(Object(site.reported[0]).cause)
    assert.match(told, /the key holds a value of another type/)
    assert.equal(told.includes(ada.id) || told.includes(digest ?? '-'), false)
  })
})
