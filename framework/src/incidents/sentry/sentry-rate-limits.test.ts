import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pauseOf } from './sentry-rate-limits.ts'

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5)
const pause = (
  status: number,
  rateLimits: string | null = null,
  retryAfter: string | null = null,
): number => {
  const headers = new Map([
    ['x-sentry-rate-limits', rateLimits],
    ['retry-after', retryAfter],
  ])
  return pauseOf({ status, header: (name) => headers.get(name) ?? null }, nowMs) / 1_000
}

test('a response without limits wants no pause', () => {
  for (const status of [200, 202, 400, 413, 500, 503]) assert.equal(pause(status), 0)
  assert.equal(pause(200, ''), 0)
})

test('limits of errors and of everything count, on a success too; the longest one decides', () => {
  assert.equal(pause(200, '30:error:organization'), 30)
  assert.equal(pause(200, '7::key'), 7)
  assert.equal(pause(200, '7:transaction;error:project:quota'), 7)
  assert.equal(pause(429, '60:transaction:key, 2700:default;error;security:organization'), 2_700)
  assert.equal(pause(429, '0.5:error:key,0.25:error:key'), 0.5)
})

test('limits of other categories do not count; an unreadable one is a minute', () => {
  for (const limits of ['60:transaction:key', '60:session;attachment:key', '60:default:key']) {
    assert.equal(pause(429, limits, '90'), 0, limits)
  }
  for (const limits of ['soon:error:key', ':error', 'x', '-1']) {
    assert.equal(pause(200, limits), 60, limits)
  }
})

test('Retry-After counts where there are no limits: in seconds, as a date, or a minute', () => {
  for (const status of [200, 429, 503]) {
    assert.equal(pause(status, null, '90'), 90)
    assert.equal(pause(status, '', 'Fri, 02 Jan 2026 03:04:33 GMT'), 28)
    assert.equal(pause(status, null, 'later'), 60)
  }
  assert.equal(pause(429), 60)
})

test('no pause is longer than a day', () => {
  assert.equal(pause(429, '999999999:error:key'), 86_400)
})
