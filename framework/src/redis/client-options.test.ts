import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOptions } from './client-options.ts'
import { parseRedisUrl } from './redis-url.ts'

test('a command is never queued, sent again or left without an end', () => {
  const options = clientOptions(parseRedisUrl('redis://a?command_timeout=1.5&connect_timeout=3'))
  assert.equal(options.enableOfflineQueue, false)
  assert.equal(options.autoResendUnfulfilledCommands, false)
  assert.equal(options.maxRetriesPerRequest, 0)
  assert.equal(options.commandTimeout, 1_500)
  assert.equal(options.socketTimeout, 1_500)
  assert.equal(options.connectTimeout, 3_000)
})

test('the pauses between attempts grow, end at two seconds and differ by chance', () => {
  const { retryStrategy } = clientOptions(parseRedisUrl('redis://a'))
  const pauses = (attempt: number): number[] =>
    Array.from({ length: 200 }, () => Number(retryStrategy?.(attempt)))
  for (const [attempt, longest] of [
    [1, 50],
    [3, 200],
    [7, 2_000],
    [1_000_000, 2_000],
  ] as const) {
    const seen = pauses(attempt)
    assert.ok(Math.min(...seen) >= longest / 2 && Math.max(...seen) <= longest)
    assert.ok(new Set(seen).size > 1)
  }
})

test('user and password are handed over as they are, and not at all when there are none', () => {
  const { username, password } = clientOptions(parseRedisUrl('redis://ada:p%40ss@a'))
  assert.deepEqual([username, password], ['ada', 'p@ss'])
  const without = clientOptions(parseRedisUrl('redis://a'))
  assert.equal('username' in without || 'password' in without, false)
})

test('TLS verifies the certificate by default', () => {
  const tlsOf = (url: string): unknown => clientOptions(parseRedisUrl(url)).tls
  assert.equal(tlsOf('redis://a'), undefined)
  assert.deepEqual(tlsOf('rediss://a'), { rejectUnauthorized: true })
  assert.deepEqual(tlsOf('rediss://a?tls=unverified'), { rejectUnauthorized: false })
})
