import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError } from '../base/errors.ts'
import { effectiveTable } from '../settings/effective-table.ts'
import type { EnvSource } from '../settings/env-source.ts'
import { redisScope } from './redis-settings.ts'
import { readScopes } from '../settings/scope.ts'

function given(text: string | null): EnvSource {
  const lookup = (): ReturnType<EnvSource['lookup']> =>
    text === null ? null : { text, origin: 'the environment' }
  return { environment: 'production', lookup }
}

function read(text: string | null): string {
  return readScopes({ redis: redisScope }, given(text)).redis.url
}

test('without a setting there is no Redis', () => {
  assert.equal(read(null), '')
  assert.equal(read(''), '')
})

test('a URL is taken as it is', () => {
  const url = 'rediss://ada:pw@cache.example:6380/2?prefix=shop:'
  assert.equal(read(url), url)
})

for (const url of ['http://:hunter2@cache.example', 'redis://:hunter2@cache.example/shop']) {
  test(`${url} is an error that says what is expected and shows no password`, () => {
    assert.throws(
      () => read(url),
      (error) => {
        assert.ok(error instanceof ConfigurationError)
        assert.equal(error.code, 'E_CONFIG_INVALID')
        assert.match(error.message, /REDIS_URL .* must be redis:\/\//)
        assert.doesNotMatch(error.message, /hunter2/)
        return true
      },
    )
  })
}

test('framework config shows where Redis is, but not the user', () => {
  const [row] = effectiveTable([redisScope], given('redis://:hunter2@cache.example/1'))
  assert.equal(row?.value, 'redis://********@cache.example/1')
})
