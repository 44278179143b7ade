import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributesOf, decodeOtlpLogs } from '../../tests/support/decode-otlp.ts'
import { bareIncident, sampleIncident, sampleSource } from '../../tests/support/sample-incident.ts'
import type { Incident } from './incident.ts'
import { otlpLogs } from './otlp-log-target.ts'

const nowMs = 1_700_000_001_000

const decoded = (...incidents: readonly Incident[]) =>
  decodeOtlpLogs(otlpLogs(incidents, sampleSource, nowMs))

test('the strict decoder accepts a record, which has level, times, message and ids', async () => {
  const [record] = decoded(await sampleIncident()).records
  const { attributes: _, ...rest } = record ?? {}
  assert.deepEqual(rest, {
    timeUnixNano: '1700000000250000000',
    observedTimeUnixNano: '1700000001000000000',
    severityNumber: 17,
    severityText: 'ERROR',
    body: { stringValue: 'no receipt' },
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
  })
})

test('its attributes tell the exception, the request, the account and the failed statement', async () => {
  const [record] = decoded(await sampleIncident()).records
  const {
    'exception.stacktrace': stack,
    'framework.step.duration': duration,
    'framework.step.caller': _,
    ...rest
  } = attributesOf(record ?? {})
  assert.deepEqual(rest, {
    'exception.type': 'TypeError',
    'exception.message': 'no receipt',
    'error.type': 'E_CONNECTION_LOST',
    'http.request.method': 'GET',
    'url.path': '/orders/7',
    'http.route': '/orders/:id',
    'user.id': '7',
    'framework.request.id': 'r1',
    'framework.step.kind': 'sql',
    'framework.step.name': 'SELECT',
    'db.query.text': '',
    'framework.context.interface': 'WPI',
    'framework.context.attempt': '2',
  })
  assert.equal(typeof duration, 'number')
  assert.match(
    String(stack),
    /^TypeError: no receipt\n {4}at (?:async )?sampleIncident \(sample-incident\.ts:\d+:\d+\)\n(?:.*\n)*Caused by FrameworkError: the connection is lost\n {4}at /,
  )
})

test('the resource names service, release, environment and machine; attributes given win', () => {
  const source = { ...sampleSource, attributes: { 'host.name': 'other', team: 'till' } }
  const { resource } = decodeOtlpLogs(otlpLogs([bareIncident()], source, nowMs))
  assert.deepEqual(resource, {
    'service.name': 'shop',
    'service.version': '1.2.3',
    'service.instance.id': 'till-1',
    'deployment.environment.name': 'production',
    'host.name': 'other',
    'process.pid': process.pid,
    team: 'till',
  })
})

test('a throwable that ended the process is FATAL, and nothing is said that is not known', () => {
  const source = { ...sampleSource, release: '' }
  const { records, resource } = decodeOtlpLogs(otlpLogs([bareIncident()], source, nowMs))
  assert.equal('service.version' in resource, false)
  const [{ severityNumber, severityText, attributes, ...record } = {}] = records
  assert.deepEqual([severityNumber, severityText], [21, 'FATAL'])
  assert.equal('traceId' in record || 'spanId' in record, false)
  assert.deepEqual(Object.keys(attributesOf({ attributes })), [
    'exception.type',
    'exception.message',
    'exception.stacktrace',
    'error.type',
    'framework.context.origin',
  ])
})

test('several incidents are one request', async () => {
  assert.equal(decoded(await sampleIncident(), bareIncident()).records.length, 2)
})

test('the address of the client is not sent', async () => {
  assert.doesNotMatch(otlpLogs([await sampleIncident()], sampleSource, nowMs), /203\.0\.113\.9/)
})
