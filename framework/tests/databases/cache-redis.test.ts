import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cache } from '../../src/cache/cache.ts'
import { RedisCache } from '../../src/cache/redis-cache.ts'
import { connectRedis } from '../../src/redis/connect-redis.ts'
import { RedisError } from '../../src/redis/redis-error.ts'
import type { Redis } from '../../src/redis/redis.ts'
import { cacheStoreContract } from '../support/cache-store-contract.ts'
import { onRedis } from '../support/test-redis.ts'

async function keysOf(redis: Redis): Promise<string[]> {
  const keys = await redis.call('KEYS', `${redis.prefix}*`)
  return Array.isArray(keys) ? keys.map(String) : []
}

/** Redis has its own clock, so the keys are moved closer to their expiry instead. */
async function pass(redis: Redis, seconds: number): Promise<void> {
  for (const key of await keysOf(redis)) {
    const left = Number(await redis.call('PTTL', key))
    assert.ok(left > 0, `${key} has no time`)
    // To the second: what the test itself took does not count.
    await redis.call('PEXPIRE', key, Math.ceil(left / 1000 - seconds) * 1000)
  }
}

onRedis((open, server) => {
  cacheStoreContract(async (t) => {
    const redis = await open(t)
    return { store: new RedisCache(redis), pass: (seconds) => pass(redis, seconds) }
  })

  test('keys begin with the prefix of the connection, then that of the cache', async (t) => {
    const redis = await open(t)
    await new Cache(new RedisCache(redis)).set('a', 1, 10)
    const store = new RedisCache(redis, { prefix: 'mine:' })
    await new Cache(store, { prefix: 'v2:' }).set('a', 1, 10)
    assert.deepEqual(
      (await keysOf(redis)).toSorted(),
      ['cache:a', 'mine:v2:a'].map((key) => redis.prefix + key),
    )
  })

  test('values are kept as JSON texts with a time', async (t) => {
    const redis = await open(t)
    const cache = new Cache(new RedisCache(redis))
    await cache.set('a', { name: 'Ada' }, 60)
    const key = `${redis.prefix}cache:a`
    assert.equal(await redis.call('GET', key), '{"name":"Ada"}')
    const left = Number(await redis.call('PTTL', key))
    assert.ok(left > 50_000 && left <= 60_000)
  })

  test('steps of several connections add up, and the script is found again after it was lost', async (t) => {
    const redis = await open(t)
    const other = await connectRedis(`${server().url}?prefix=${redis.prefix}`)
    t.after(() => other.close())
    const stores = [new RedisCache(redis), new RedisCache(other)]
    await redis.call('SCRIPT', 'FLUSH')
    const sums = await Promise.all(
      stores.flatMap((store) => Array.from({ length: 100 }, () => store.increment('n', 1, 10))),
    )
    assert.equal(new Set(sums).size, 200)
    assert.equal(Math.max(...sums.map(Number)), 200)
  })

  test('a key that does not hold a text is reported, not treated as an outage', async (t) => {
    const redis = await open(t)
    await redis.call('LPUSH', `${redis.prefix}cache:a`, 'secret-value')
    const cache = new Cache(new RedisCache(redis))
    for (const call of [cache.get('a'), cache.increment('a', 10)]) {
      await assert.rejects(call, { code: 'E_REDIS', native: 'WRONGTYPE' })
    }
  })

  test('only an outage counts as one', () => {
    assert.ok(new RedisError('E_REDIS_LOST', 'lost').unavailable)
    assert.ok(new RedisError('E_REDIS_TIMEOUT', 'late').unavailable)
    assert.ok(new RedisError('E_REDIS', 'full', 'OOM').unavailable)
    assert.ok(!new RedisError('E_REDIS_CLOSED', 'closed').unavailable)
    assert.ok(!new RedisError('E_REDIS', 'wrong', 'WRONGTYPE').unavailable)
  })
})
