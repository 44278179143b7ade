import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import type { ClientConfig } from 'pg'
import { parseDatabaseUrl } from '../database-url.ts'
import { clientConfig } from './postgres-client.ts'

function config(options = '', user = 'ada:pass%20word@'): ClientConfig {
  return clientConfig(parseDatabaseUrl(`postgres://${user}db.example/app?${options}`))
}

test('a session has a fixed time zone, value format and timeout', () => {
  const { options = '' } = config('statement_timeout=1.5')
  for (const setting of [
    'TimeZone=UTC',
    'DateStyle=ISO',
    'bytea_output=hex',
    'statement_timeout=1500',
  ]) {
    assert.ok(options.includes(`-c ${setting}`), setting)
  }
  assert.match(config('statement_timeout=0').options ?? '', /-c statement_timeout=0$/)
})

test('the driver has no query timeout of its own', () => {
  assert.equal('query_timeout' in config(), false)
})

test('TLS is off, on, or on without a check, whatever the environment says', () => {
  assert.equal(config().ssl, false)
  assert.equal(config('tls=on').ssl, true)
  assert.deepEqual(config('tls=unverified').ssl, { rejectUnauthorized: false })
})

test('the password is not visible', () => {
  assert.doesNotMatch(inspect(config()), /pass word/)
  const { password } = config()
  assert.equal(typeof password === 'function' ? password() : '', 'pass word')
})

test('pipelining is on unless the URL turns it off', () => {
  assert.equal(config().pipeline, true)
  assert.equal(config('pipeline=off').pipeline, false)
})
