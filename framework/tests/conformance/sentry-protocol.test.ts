import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  disabledUntil,
  getEnvelopeEndpointWithUrlEncodedAuth,
  makeDsn,
  parseEnvelope,
  updateRateLimits,
} from '@sentry/core'
import { parseSentryDsn } from '../../src/incidents/incidents-settings.ts'
import { sentryEnvelope } from '../../src/incidents/sentry-target.ts'
import { pauseOf, SentryTarget } from '../../src/incidents/sentry-target.ts'
import { answer, startCollector } from '../support/fake-collector.ts'
import { bareIncident, sampleIncident, sampleSource } from '../support/sample-incident.ts'

// What Sentry's own code makes of ours.

test('an envelope is read by the parser of Sentry, whatever characters are in it', async () => {
  const incident = await sampleIncident()
  const [outer, ...causes] = incident.chain
  assert.ok(outer !== undefined)
  for (const message of [
    'no receipt',
    '',
    'Größe ≠ 1\n\u2028{"a":1}\n',
    '😀'.repeat(2_000),
    '\uD800',
  ]) {
    const odd = { ...incident, chain: [{ ...outer, message }, ...causes] }
    const [header, items] = parseEnvelope(sentryEnvelope(odd, sampleSource, 0))
    assert.equal(items.length, 1)
    const [item, payload] = items[0] ?? []
    assert.equal(item?.type, 'event')
    assert.ok(payload instanceof Uint8Array)
    const event = JSON.parse(new TextDecoder().decode(payload))
    assert.equal('event_id' in header && header.event_id, event.event_id)
    // Half of a character is replaced: the server of Sentry refuses it.
    assert.equal(event.exception.values.at(-1).value, message.toWellFormed())
  }
})

test('what arrives over HTTP is read by the parser of Sentry too', async (t) => {
  const { url, posts } = await startCollector(t, answer(200))
  const dsn = parseSentryDsn(`${url.replace('://', '://abc@')}/42`)
  assert.ok(dsn !== undefined)
  const target = new SentryTarget({ dsn }, sampleSource)
  assert.deepEqual(await target.send([bareIncident()]), { isSent: true, notice: null })
  const [post] = posts
  assert.ok(post !== undefined)
  assert.equal(post.target, '/api/42/envelope/')
  assert.equal(parseEnvelope(post.body)[1].length, 1)
})

for (const text of [
  'https://abc123@sentry.example/42',
  'https://abc123@o7.ingest.de.sentry.io/4507',
  'https://abc123:old@sentry.example/42',
  'http://abc123@localhost:9000/42',
  'https://abc123@example.org/tools/sentry/42',
  'https://abc123@[::1]:8000/42',
]) {
  test(`${text} leads to the same URL as with the code of Sentry`, () => {
    const [theirs, ours] = [makeDsn(text), parseSentryDsn(text)]
    assert.ok(theirs !== undefined && ours !== undefined)
    const expected = new URL(getEnvelopeEndpointWithUrlEncodedAuth(theirs))
    assert.equal(
      `${ours.server}/api/${ours.project}/envelope/`,
      expected.origin + expected.pathname,
    )
    assert.equal(ours.key, expected.searchParams.get('sentry_key'))
  })
}

for (const [status, rateLimits, retryAfter] of [
  [200, null, null],
  [429, null, null],
  [429, null, '30'],
  [503, null, '30'],
  [429, null, 'Fri, 02 Jan 2026 03:04:33 GMT'],
  [429, null, 'later'],
  [200, '30:error:organization', null],
  [200, '7::key', null],
  [429, '60:transaction:key', '90'],
  [429, '60:transaction:key,2700:default;error;security:organization', null],
  [200, '60:default:key', null],
  [200, 'soon:error:key', null],
  [200, 'x', null],
] as const) {
  test(`${status} with ${rateLimits} and ${retryAfter} pauses as long as in the code of Sentry`, () => {
    const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5)
    const headers = { 'x-sentry-rate-limits': rateLimits, 'retry-after': retryAfter }
    const limits = updateRateLimits({}, { statusCode: status, headers }, nowMs)
    const until = disabledUntil(limits, 'error')
    const header = (name: string): string | null =>
      new Map(Object.entries(headers)).get(name) ?? null
    const pauseMs = pauseOf({ status, header }, nowMs)
    assert.equal(pauseMs, until === 0 ? 0 : until - nowMs)
  })
}
