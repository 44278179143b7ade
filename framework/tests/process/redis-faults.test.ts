import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { Cache } from '../../src/cache/cache.ts'
import { RedisCache } from '../../src/cache/redis-cache.ts'
import { connectRedis } from '../../src/redis/connect-redis.ts'
import type { ConnectRedisOptions } from '../../src/redis/connect-redis.ts'
import type { RedisError } from '../../src/redis/redis-error.ts'
import type { Redis } from '../../src/redis/redis.ts'
import { startOwnRedis } from '../support/redis-server.ts'
import type { RedisServer } from '../support/redis-server.ts'
import { waitFor } from '../support/wait-for.ts'

const warnings: string[] = []
process.on('warning', ({ message }) => void warnings.push(message))

const found = await startOwnRedis().catch((error: Error) => error)

describe('a Redis that fails', { skip: found instanceof Error && found.message }, () => {
  let server: RedisServer

  before(() => {
    if (found instanceof Error) throw found
    server = found
  })

  after(() => server.stop())

  async function open(t: TestContext, options: ConnectRedisOptions = {}): Promise<Redis> {
    const redis = await connectRedis(server.url, options)
    t.after(() => redis.close())
    return redis
  }

  async function answering(redis: Redis): Promise<void> {
    await waitFor('the server to answer', () =>
      redis.ping().then(
        () => true,
        () => false,
      ),
    )
  }

  test('a cache under load works without Redis, and uses it again when it is back', async (t) => {
    const reports: unknown[] = []
    const throwables = { notify: (error: unknown) => void reports.push(error) }
    const cache = new Cache(new RedisCache(await open(t)), { throwables })
    await cache.set('kept', 'value', 1_000)
    const load = { isOver: false }
    const gets: unknown[] = []
    const failures: unknown[] = []
    const sums: number[] = []
    const refused: RedisError[] = []
    let made = 0
    const works = [
      async () => void gets.push(await cache.get('kept')),
      async () => cache.set('other', made, 1_000),
      async () => cache.delete('other'),
      async () => cache.remember(`page ${(made += 1)}`, 10, () => made),
      async () =>
        cache.increment('n', 1_000).then(
          (sum) => void sums.push(sum),
          (error: RedisError) => void refused.push(error),
        ),
    ]
    const client = async (work: () => Promise<unknown>): Promise<void> => {
      while (!load.isOver) {
        await work().catch((error: unknown) => failures.push(error))
        await sleep(1)
      }
    }
    const clients = works.flatMap((work) => [1, 2, 3, 4].map(() => client(work)))

    await waitFor('load', () => sums.length > 100)
    assert.deepEqual([refused.length, reports.length], [0, 0])
    await server.kill()
    await waitFor('refusals', () => refused.length > 100)
    const inOutage = gets.length
    await waitFor('misses', () => gets.length > inOutage + 20)
    assert.deepEqual(new Set(gets.slice(inOutage)), new Set([null]))
    await server.restart()
    const counted = sums.length
    await waitFor('recovery', () => sums.length > counted + 100)
    const recovered = gets.length
    await waitFor('hits', () => gets.length > recovered + 20)
    load.isOver = true
    await Promise.all(clients)

    assert.deepEqual(failures, [], 'only increment tells its caller')
    assert.deepEqual(new Set(gets.slice(recovered)), new Set(['value']))
    assert.deepEqual(new Set(refused.map(({ code }) => code)), new Set(['E_REDIS_LOST']))
    assert.equal(reports.length, 1, 'one outage, one report')
    assert.doesNotMatch(inspect([reports, refused[0]], { depth: 9 }), /let me in|let%20me/)
    // No increment happens twice: each result was seen once, and no acknowledged one was lost.
    assert.equal(new Set(sums).size, sums.length)
    const total = Number(await cache.get('n'))
    assert.ok(total >= sums.length && total <= sums.length + refused.length)
  })

  test('while Redis is down each command fails at once, and ping too', async (t) => {
    const redis = await open(t)
    await server.kill()
    try {
      await waitFor('the loss to be noticed', () =>
        redis.ping().then(
          () => false,
          (error: RedisError) => error.native === 'ECONNREFUSED',
        ),
      )
      // If each command took its full timeout, the test would exceed its own.
      for (let command = 0; command < 200; command += 1) {
        await assert.rejects(redis.call('GET', 'a'), {
          code: 'E_REDIS_LOST',
          message: `no connection to redis://127.0.0.1:${server.port}/0: nothing is listening there`,
        })
      }
    } finally {
      await server.restart()
    }
    await answering(redis)
  })

  test('a strict cache throws for every caller', async (t) => {
    const cache = new Cache(new RedisCache(await open(t)), { strict: true })
    await server.kill()
    try {
      for (const call of [cache.get('a'), cache.set('a', 1, 10), cache.delete('a')]) {
        await assert.rejects(call, { code: 'E_REDIS_LOST' })
      }
    } finally {
      await server.restart()
    }
  })

  test('a connection opened while Redis is down works once it is back', async (t) => {
    await server.kill()
    let redis: Redis
    try {
      await assert.rejects(connectRedis(server.url), { code: 'E_REDIS_LOST' })
      redis = await open(t, { lazy: true })
      await assert.rejects(redis.ping(), { code: 'E_REDIS_LOST' })
    } finally {
      await server.restart()
    }
    await answering(redis)
    assert.equal(await redis.call('SET', 'late', 1), 'OK')
  })

  test('a cut connection fails pending commands and is opened again', async (t) => {
    const redis = await open(t)
    const watcher = await open(t)
    const id = Number(await redis.call('CLIENT', 'ID'))
    await watcher.call('CLIENT', 'PAUSE', 200, 'ALL')
    const pending = redis.call('SET', 'cut', 1)
    const kill = watcher.call('CLIENT', 'KILL', 'ID', id)
    await assert.rejects(pending, { code: 'E_REDIS_LOST' })
    await kill
    await answering(redis)
    assert.notEqual(Number(await redis.call('CLIENT', 'ID')), id)
  })

  test('full memory is an outage for writes, not for reads', async (t) => {
    const redis = await open(t)
    const reports: unknown[] = []
    const throwables = { notify: (error: unknown) => void reports.push(error) }
    const cache = new Cache(new RedisCache(redis), { throwables })
    await cache.set('kept', 1, 100)
    await redis.call('CONFIG', 'SET', 'maxmemory', '1kb')
    try {
      await cache.set('new', 1, 100)
      assert.equal(await cache.get('kept'), 1)
      await assert.rejects(cache.increment('n', 10), { code: 'E_REDIS', native: 'OOM' })
      assert.equal(reports.length, 1)
    } finally {
      await redis.call('CONFIG', 'SET', 'maxmemory', '0')
    }
    await cache.set('new', 1, 100)
    assert.equal(await cache.get('new'), 1)
  })

  test('repeated failures leak nothing', () => {
    assert.deepEqual(warnings, [])
  })
})
