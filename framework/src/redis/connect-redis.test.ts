import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError } from '../base/errors.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { connectRedis, loadClient } from './connect-redis.ts'

function missing(name: string): Promise<never> {
  const message = `Cannot find package '${name}' imported from /srv/shop/dist/open-redis.js`
  return Promise.reject(Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' }))
}

test('without ioredis the error says what to install', async () => {
  const load = loadClient(() => missing('ioredis'))
  await assert.rejects(load, ConfigurationError)
  await assert.rejects(load, {
    code: 'E_REDIS_DRIVER',
    message: 'Redis needs the package ioredis, which is not installed: npm install ioredis',
  })
})

test('other missing packages and errors are passed on unchanged', async () => {
  await assert.rejects(
    loadClient(() => missing('denque')),
    { code: 'ERR_MODULE_NOT_FOUND' },
  )
  const broken = new Error("cannot use 'ioredis'")
  await assert.rejects(
    loadClient(() => Promise.reject(broken)),
    broken,
  )
})

test('an unreachable server is an immediate error without the password', async () => {
  const port = await freePort()
  await assert.rejects(connectRedis(`redis://:hunter2@127.0.0.1:${port}`), {
    code: 'E_REDIS_LOST',
    native: 'ECONNREFUSED',
    message: `no connection to redis://127.0.0.1:${port}/0: nothing is listening there`,
  })
})

test('a lazy connection opens without its server, and each command fails immediately', async () => {
  const port = await freePort()
  const redis = await connectRedis(`redis://127.0.0.1:${port}`, { lazy: true })
  await assert.rejects(redis.call('GET', 'a'), { code: 'E_REDIS_LOST' })
  await assert.rejects(redis.ping(), { code: 'E_REDIS_LOST' })
  await redis.close()
  await redis.close()
  await assert.rejects(redis.ping(), {
    code: 'E_REDIS_CLOSED',
    message: `PING was sent after redis://127.0.0.1:${port}/0 was closed`,
  })
})
