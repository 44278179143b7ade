import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSentryDsn } from './sentry-dsn.ts'

for (const [dsn, server, project] of [
  ['https://abc123@sentry.example/42', 'https://sentry.example', '42'],
  ['https://abc123@o7.ingest.us.sentry.io/42', 'https://o7.ingest.us.sentry.io', '42'],
  ['https://abc123:old@sentry.example/42', 'https://sentry.example', '42'],
  ['http://abc123@localhost:9000/42', 'http://localhost:9000', '42'],
  ['https://abc123@example.org/tools/sentry/42', 'https://example.org/tools/sentry', '42'],
  ['https://abc123@[::1]:8000/42', 'https://[::1]:8000', '42'],
  ['https://abc123@sentry.example/42/', 'https://sentry.example', '42'],
] as const) {
  test(`${dsn} is project ${project} of ${server}`, () => {
    assert.deepEqual(parseSentryDsn(dsn), { key: 'abc123', server, project })
  })
}

for (const dsn of [
  '',
  'abc123',
  'https://sentry.example/42',
  'https://abc123@sentry.example',
  'https://abc123@sentry.example/',
  'https://abc123@sentry.example/shop',
  'https://abc123@sentry.example/42/shop',
  'https://a%20b@sentry.example/42',
  'https://abc123@/42',
  'ftp://abc123@sentry.example/42',
  'https://abc123@sentry.example/42?tunnel=1',
  'https://abc123@sentry.example/42#x',
]) {
  test(`${dsn || 'nothing'} is no DSN`, () => {
    assert.equal(parseSentryDsn(dsn), undefined)
  })
}
