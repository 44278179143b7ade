import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectRedis } from '../../src/redis/connect-redis.ts'
import type { RateRule } from '../../src/http/rate-limits/rate-limit-store.ts'
import { RedisRateLimits } from '../../src/http/rate-limits/redis-rate-limits.ts'
import { onRedis } from '../support/test-redis.ts'
import { digestOf, rateLimitContract } from './rate-limit-contract.ts'

let prefixes = 0

onRedis((open, server) => {
  rateLimitContract(async (t, count) => {
    const prefix = `limits:${process.pid}:${(prefixes += 1)}:`
    const url = `${server().url}?prefix=${prefix}`
    const opened = Array.from({ length: count }, () => connectRedis(url))
    const connections = await Promise.all(opened)
    t.after(() => Promise.all(connections.map((redis) => redis.close())))
    return connections.map((redis) => new RedisRateLimits(redis))
  })

  test('Redis drops a counter when it no longer counts', async (t) => {
    const redis = await open(t)
    const store = new RedisRateLimits(redis)
    const now = Date.now() / 1000
    const fixed: RateRule = { limit: 5, window: 60, algorithm: 'fixed' }
    await store.hit(digestOf('fixed'), fixed, now)
    await store.hit(digestOf('sliding'), { ...fixed, algorithm: 'sliding' }, now)
    const ttl = (name: string): Promise<unknown> =>
      redis.call('PTTL', `${redis.prefix}rate-limit:${digestOf(name)}`)
    const [ofFixed, ofSliding] = [Number(await ttl('fixed')), Number(await ttl('sliding'))]
    assert.ok(ofFixed > 50_000 && ofFixed <= 60_000, `${ofFixed}`)
    assert.ok(ofSliding > 110_000 && ofSliding <= 120_000, `${ofSliding}`)
  })
})
