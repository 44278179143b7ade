import assert from 'node:assert/strict'
import { createConnection, Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { createServer } from 'node:tls'
import { inspect } from 'node:util'
import { selfSigned } from '../../src/base/tls/self-signed.ts'
import { connectRedis } from '../../src/redis/connect-redis.ts'
import { RedisError } from '../../src/redis/redis-error.ts'
import { RedisScript } from '../../src/redis/redis.ts'
import type { Redis } from '../../src/redis/redis.ts'
import { TestClock } from '../../src/testing/test-clock.ts'
import { startDelayProxy } from '../support/delay-proxy.ts'
import { startOwnRedis } from '../support/redis-server.ts'
import type { RedisServer } from '../support/redis-server.ts'
import { waitFor } from '../support/wait-for.ts'

const warnings: string[] = []
process.on('warning', ({ message }) => void warnings.push(message))

const found = await startOwnRedis().catch((error: Error) => error)

describe('a connection to Redis', { skip: found instanceof Error && found.message }, () => {
  let server: RedisServer

  before(() => {
    if (found instanceof Error) throw found
    server = found
  })

  after(() => server.stop())

  async function open(t: TestContext, options = ''): Promise<Redis> {
    const redis = await connectRedis(`${server.url}?${options}`)
    t.after(() => redis.close())
    return redis
  }

  function urlAt(port: number, options: string): string {
    return server.url.replace(`:${server.port}/`, `:${port}/`) + `?${options}`
  }

  /** A TLS port with an untrusted certificate that forwards everything. */
  function tlsPort(t: TestContext): Promise<number> {
    const { key, cert } = selfSigned({ hosts: ['127.0.0.1'] })
    const proxy = createServer({ key, cert }, (socket) => {
      const target = createConnection(server.port, '127.0.0.1')
      for (const side of [socket, target]) side.on('error', () => undefined)
      socket.pipe(target).pipe(socket)
    })
    t.after(() => proxy.close())
    return new Promise((resolve) => {
      proxy.listen(0, '127.0.0.1', () => {
        const address = proxy.address()
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
  }

  test('tests cannot travel while it is open, since its clock stays', async (t) => {
    const redis = await open(t)
    const message =
      /^travel\(\) cannot move the clock of .*; start the project with stores that follow/
    assert.throws(() => new TestClock().travel(60), { code: 'E_TEST_CLOCK', message })
    await redis.close()
    new TestClock().travel(60)()
  })

  test('replies have the same shape, however the command is written', async (t) => {
    const redis = await open(t)
    const key = 'a'
    assert.equal(await redis.call('set', key, 'é 🎉 \0'), 'OK')
    assert.equal(await redis.call('GET', key), 'é 🎉 \0')
    assert.equal(await redis.call('get', `${key}b`), null)
    assert.equal(await redis.call('incrby', `${key}n`, 3), 3)
    assert.equal(await redis.call('HSET', `${key}h`, 'x', 1, 'y', 2), 2)
    assert.deepEqual(await redis.call('hgetall', `${key}h`), ['x', '1', 'y', '2'])
  })

  test('the connection uses the database and prefix of the URL', async (t) => {
    const url = server.url.replace(/\/0$/, '/5')
    const redis = await connectRedis(`${url}?prefix=shop%3A`)
    t.after(() => redis.close())
    assert.equal(redis.prefix, 'shop:')
    assert.equal(redis.label, `redis://127.0.0.1:${server.port}/5`)
    assert.match(String(await redis.call('CLIENT', 'INFO')), / db=5 /)
  })

  test('ping resolves when the server responds', async (t) => {
    assert.equal(await (await open(t)).ping(), undefined)
  })

  test('a script runs atomically, and is sent again when the server has lost it', async (t) => {
    const redis = await open(t)
    const add = new RedisScript(`
      redis.call('SET', KEYS[1], ARGV[1] + ARGV[2])
      return redis.call('GET', KEYS[1])`)
    const key = 'sum'
    assert.equal(await redis.run(add, [key], [1, 2]), '3')
    assert.equal(await redis.run(add, [key], [2, 2]), '4')
    await redis.call('SCRIPT', 'FLUSH')
    assert.equal(await redis.run(add, [key], [3, 2]), '5')
    assert.equal(await redis.run(new RedisScript('return 7'), []), 7)
  })

  test('an error contains nothing of what was sent', async (t) => {
    const redis = await open(t)
    await redis.call('LPUSH', 'secret-list', 'secret-value')
    const refused = [
      redis.call('GET', 'secret-list'),
      redis.call('NO-SUCH-COMMAND', 'secret-value'),
      redis.call('SET', 'secret-key', 'secret-value', 'secret-option'),
      redis.call('EVAL', 'return secret_global', 0),
      redis.run(
        new RedisScript(`return redis.error_reply('MINE "' .. ARGV[1] .. '"')`),
        [],
        ['secret-value'],
      ),
    ]
    for (const outcome of await Promise.allSettled(refused)) {
      assert.ok(outcome.status === 'rejected')
      const error: unknown = outcome.reason
      assert.ok(error instanceof RedisError)
      assert.equal(error.code, 'E_REDIS')
      assert.equal(error.unavailable, false)
      assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), /secret-|let me in/)
    }
  })

  test('a wrong password is an error that shows neither password', async () => {
    const url = server.url.replace('let%20me%20in', 'wrong-secret')
    await assert.rejects(connectRedis(url), (error) => {
      assert.ok(error instanceof RedisError)
      assert.deepEqual([error.code, error.native], ['E_REDIS_LOST', 'WRONGPASS'])
      assert.match(error.message, /: it rejected the user or the password$/)
      assert.doesNotMatch(inspect(error, { depth: 9 }), /wrong-secret|let me in/)
      return true
    })
  })

  test('a missing password is an error', async () => {
    await assert.rejects(connectRedis(`redis://127.0.0.1:${server.port}`), {
      code: 'E_REDIS_LOST',
      native: 'NOAUTH',
    })
  })

  test('TLS refuses an untrusted certificate, unless told not to', async (t) => {
    const url = urlAt(await tlsPort(t), '').replace('redis:', 'rediss:')
    await assert.rejects(connectRedis(url), {
      code: 'E_REDIS_LOST',
      message: /: TLS failed \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/,
    })
    const redis = await connectRedis(`${url}tls=unverified`)
    t.after(() => redis.close())
    await redis.ping()
    assert.match(redis.label, /^rediss:/)
  })

  test('a server that stops responding costs one timeout, then each command fails at once', async (t) => {
    const proxy = await startDelayProxy(server.port, 0)
    t.after(() => proxy.close())
    // On a busy machine the first time may take longer than the limit.
    const redis = await waitFor('a connection', () =>
      connectRedis(urlAt(proxy.port, 'command_timeout=0.3')).catch(() => false as const),
    )
    t.after(() => redis.close())
    proxy.freeze()
    const startMs = performance.now()
    const lost = await Promise.allSettled([redis.call('GET', 'a'), redis.ping()])
    const tookMs = performance.now() - startMs
    assert.ok(tookMs >= 290, `took ${tookMs} ms`)
    for (const outcome of lost) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof RedisError)
      assert.ok(outcome.reason.unavailable)
    }
    await waitFor('the connection to be given up', () =>
      redis.ping().then(
        () => false,
        (error: RedisError) => error.code === 'E_REDIS_LOST',
      ),
    )
    // If each command took its full timeout, the test would exceed its own.
    for (let command = 0; command < 2_000; command += 1) {
      await assert.rejects(redis.call('GET', 'a'), { code: 'E_REDIS_LOST' })
    }
  })

  test('commands of one turn of the event loop are sent in one write', async (t) => {
    const redis = await open(t)
    const single = t.mock.method(Socket.prototype, '_write')
    const commands = Array.from(
      { length: 20 },
      () => new Promise<unknown>((resolve) => setImmediate(() => resolve(redis.ping()))),
    )
    await Promise.all(commands)
    const writes = single.mock.callCount()
    assert.ok(writes <= 2, `${writes} commands left alone`)
  })

  test('close waits for pending commands; later ones are refused', async (t) => {
    const redis = await open(t)
    const watcher = await open(t)
    await watcher.call('CLIENT', 'PAUSE', 200, 'ALL')
    const commands = Array.from({ length: 50 }, () => redis.ping())
    const closed = redis.close()
    await assert.rejects(redis.ping(), { code: 'E_REDIS_CLOSED' })
    await Promise.all(commands)
    await closed
    await redis.close()
    await assert.rejects(redis.run(new RedisScript('return 1'), []), { code: 'E_REDIS_CLOSED' })
  })

  test('after a server became a replica, a new connection is opened', async (t) => {
    const redis = await open(t)
    const watcher = await open(t)
    const idOf = async (): Promise<string> => String(await redis.call('CLIENT', 'ID'))
    const before = await idOf()
    await watcher.call('REPLICAOF', '127.0.0.1', 1)
    try {
      await assert.rejects(redis.call('SET', 'a', 1), (error) => {
        assert.ok(error instanceof RedisError && error.unavailable)
        assert.equal(error.native, 'READONLY')
        return true
      })
    } finally {
      await watcher.call('REPLICAOF', 'NO', 'ONE')
    }
    await waitFor('another connection', async () => (await idOf().catch(() => before)) !== before)
    assert.equal(await redis.call('SET', 'a', 1), 'OK')
  })

  test('repeated failures leak nothing', () => {
    assert.deepEqual(warnings, [])
  })
})
