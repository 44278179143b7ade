import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConfigurationError } from '../base/errors.ts'
import { parseRedisUrl, redisLabel } from './redis-url.ts'

test('a host is enough, the rest has a default', () => {
  assert.deepEqual(parseRedisUrl('redis://cache.example'), {
    host: 'cache.example',
    port: 6379,
    user: '',
    password: '',
    database: 0,
    tls: 'off',
    prefix: '',
    connectTimeout: 5,
    commandTimeout: 2,
  })
})

test('every part is read, with its %xx', () => {
  const url =
    'rediss://ada:p%40ss%2Fword@[::1]:6380/3?prefix=shop%3A&connect_timeout=1&command_timeout=0.25&tls=unverified'
  assert.deepEqual(parseRedisUrl(url), {
    host: '::1',
    port: 6380,
    user: 'ada',
    password: 'p@ss/word',
    database: 3,
    tls: 'unverified',
    prefix: 'shop:',
    connectTimeout: 1,
    commandTimeout: 0.25,
  })
})

test('rediss is TLS with a verified certificate', () => {
  assert.equal(parseRedisUrl('rediss://cache.example').tls, 'on')
})

test('the label has neither user nor password', () => {
  const label = (url: string): string => redisLabel(parseRedisUrl(url))
  assert.equal(
    label('redis://ada:hunter2@cache.example/1?prefix=a'),
    'redis://cache.example:6379/1',
  )
  assert.equal(label('rediss://:hunter2@[::1]:7000'), 'rediss://[::1]:7000/0')
})

describe('an invalid URL is an error with the reason, never the password', () => {
  const refused: Readonly<Record<string, RegExp>> = {
    hunter2: /it is not a URL/,
    'http://:hunter2@cache.example': /start with redis:\/\/ or rediss:\/\//,
    'redis://:hunter2@': /is not a URL|has no host/,
    'redis://:hunter2@cache.example/shop': /number of a database/,
    'redis://:hunter2@cache.example/-1': /number of a database/,
    'redis://:hunter2@cache.example/1/2': /number of a database/,
    'redis://:hunter2@cache.example#1': /contains a #/,
    'redis://:hunter2%@cache.example': /% that is not part of %xx/,
    'redis://:hunter2@cache.example?prefx=a': /unknown option "prefx"/,
    'redis://:hunter2@cache.example?tls=unverified': /unknown option "tls"/,
    'rediss://:hunter2@cache.example?tls=off': /tls must be on or unverified/,
    'redis://:hunter2@cache.example?prefix=a%20b': /prefix must be at most 128/,
    'redis://:hunter2@cache.example?command_timeout=0':
      /command_timeout must be a number of seconds/,
    'redis://:hunter2@cache.example?connect_timeout=soon':
      /connect_timeout must be a number of seconds/,
  }
  for (const [url, reason] of Object.entries(refused)) {
    test(url, () => {
      assert.throws(
        () => parseRedisUrl(url),
        (error) => {
          assert.ok(error instanceof ConfigurationError)
          assert.equal(error.code, 'E_REDIS_URL')
          assert.match(error.message, reason)
          assert.doesNotMatch(error.message, /hunter2/)
          return true
        },
      )
    })
  }
})
