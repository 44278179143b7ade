import assert from 'node:assert/strict'
import { test } from 'node:test'
import { otlpLogs } from '../../src/incidents/otlp-log-target.ts'
import { decodeOtlpLogs, overTheWire } from '../support/decode-otlp.ts'
import { bareIncident, sampleIncident, sampleSource } from '../support/sample-incident.ts'

test('a round trip through the published protobuf definitions loses nothing', async () => {
  const text = otlpLogs([await sampleIncident(), bareIncident()], sampleSource, 1_000)
  const received = JSON.stringify(overTheWire(text, 'logs'))
  assert.deepEqual(decodeOtlpLogs(received), decodeOtlpLogs(text))
})

test('the decoder rejects invalid records', () => {
  const record = (member: string): string =>
    `{"resourceLogs":[{"resource":{"attributes":[]},"scopeLogs":[{"logRecords":[{${member}}]}]}]}`
  decodeOtlpLogs(record('"severityNumber":17,"traceId":"0af7651916cd43dd8448eb211c80319c"'))
  for (const [text, place] of [
    [record('"level":"error"'), /logRecords\[0\]\.level is no field of LogRecord/],
    [record('"severityNumber":"17"'), /is no SeverityNumber/],
    [record('"severityNumber":99'), /is no SeverityNumber/],
    [record('"timeUnixNano":1'), /is no fixed64/],
    [record('"body":"text"'), /is no AnyValue/],
    [record('"body":{"stringValue":"a","intValue":"1"}'), /a second value/],
    [record('"traceId":"0AF7651916CD43DD8448EB211C80319C"'), /is no traceId/],
    [record('"spanId":"0af7651916cd43dd8448eb211c80319c"'), /is no spanId/],
    [record('"attributes":[{"key":"a","value":{"intValue":1}}]'), /is no int64/],
  ] as const) {
    assert.throws(() => decodeOtlpLogs(text), place)
  }
})
