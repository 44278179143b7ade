import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectiveTable } from '../settings/effective-table.ts'
import { loadEnvironment } from '../settings/env-source.ts'
import type { EnvTexts } from '../settings/env-source.ts'
import { readScopes } from '../settings/scope.ts'
import { reportsScope, parseSentryDsn } from './incidents-settings.ts'

const source = (env: EnvTexts) => loadEnvironment({ root: '/shop', env })
const read = (env: EnvTexts) => readScopes({ reports: reportsScope }, source(env)).reports

test('by default errors are sent nowhere', () => {
  assert.deepEqual(read({}), { sentry: null, logsExporter: 'none' })
  assert.equal(read({ SENTRY_DSN: '' }).sentry, null)
})

test('SENTRY_DSN names the server and the project', () => {
  const { sentry } = read({ SENTRY_DSN: 'https://abc@sentry.example/42' })
  assert.deepEqual(sentry, { key: 'abc', server: 'https://sentry.example', project: '42' })
})

test('a bad DSN is refused with its form and without its value', () => {
  for (const dsn of ['hunter2', 'https://hunter2@sentry.example/shop']) {
    assert.throws(
      () => read({ SENTRY_DSN: dsn }),
      (thrown: Error) => {
        assert.match(thrown.message, /SENTRY_DSN .* must be a DSN such as https:\/\/<key>@<host>\//)
        assert.match(thrown.message, /got a value of \d+ characters from the environment/)
        assert.doesNotMatch(thrown.message, /hunter2/)
        return true
      },
    )
  }
})

test('framework config shows neither the DSN nor its key', () => {
  const table = effectiveTable(
    [reportsScope],
    source({ SENTRY_DSN: 'https://hunter2@a.example/1' }),
  )
  assert.equal(table.find(({ variable }) => variable === 'SENTRY_DSN')?.value, '********')
})

test('other exporters of logs are refused', () => {
  assert.throws(() => read({ OTEL_LOGS_EXPORTER: 'console' }), /must be "none" or "otlp"/)
})

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
