import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError } from '../base/errors.ts'
import { loadEnvironment } from '../settings/env-source.ts'
import type { EnvTexts } from '../settings/env-source.ts'
import { tracingSettings } from './tracing-settings.ts'
import type { TracingSettings } from './tracing-settings.ts'

const read = (env: EnvTexts): TracingSettings | null =>
  tracingSettings(loadEnvironment({ root: '/shop', env }))

const on = { OTEL_TRACES_EXPORTER: 'otlp' }

function problem(env: EnvTexts): string {
  try {
    read({ ...on, ...env })
  } catch (thrown) {
    assert.ok(thrown instanceof ConfigurationError)
    return thrown.message
  }
  return assert.fail('nothing was refused')
}

test('traces are off unless OTEL_TRACES_EXPORTER is otlp', () => {
  assert.equal(read({}), null)
  assert.equal(read({ OTEL_TRACES_EXPORTER: 'none' }), null)
  assert.equal(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }), null)
  assert.equal(read({ ...on, OTEL_SDK_DISABLED: 'true' }), null)
  assert.notEqual(read(on), null)
})

test('while they are off no other variable can prevent the start', () => {
  assert.equal(read({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'x' }), null)
})

test('the defaults are those of OpenTelemetry', () => {
  const settings = read(on)
  assert.equal(settings?.endpoint, 'http://localhost:4318')
  assert.equal(settings.path, '/v1/traces')
  assert.equal(settings.sampler, null)
  assert.equal(settings.ratio, 1)
  assert.equal(settings.propagates, true)
  assert.equal(settings.service, null)
  const { maxQueue, maxBatch, delayMs, exportTimeoutMs, timeoutMs } = settings
  assert.deepEqual(
    { maxQueue, maxBatch, delayMs, exportTimeoutMs, timeoutMs },
    {
      maxQueue: 2_048,
      maxBatch: 512,
      delayMs: 5_000,
      exportTimeoutMs: 30_000,
      timeoutMs: 10_000,
    },
  )
})

test('what is set for traces replaces what is set for everything', () => {
  const shared = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://all:4318/otlp',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=all',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
  }
  const all = read({ ...on, ...shared })
  assert.equal(all?.endpoint, 'http://all:4318/otlp')
  assert.deepEqual(all.headers, { 'x-key': 'all' })
  const own = read({
    ...on,
    ...shared,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces:4318/in',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-key=traces',
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '2',
    OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'none',
  })
  assert.equal(own?.endpoint, 'http://traces:4318/in')
  assert.equal(own.path, '')
  assert.deepEqual(own.headers, { 'x-key': 'traces' })
  assert.equal(own.timeoutMs, 2)
  assert.equal(own.compression, 'none')
})

test('the service has its own variable, or is one of the attributes', () => {
  const attributes = { OTEL_RESOURCE_ATTRIBUTES: 'service.name=shop, team=a%20b ,' }
  assert.equal(read({ ...on, ...attributes })?.service, 'shop')
  assert.deepEqual(read({ ...on, ...attributes })?.attributes, {
    team: 'a b',
  })
  assert.equal(read({ ...on, ...attributes, OTEL_SERVICE_NAME: 'till' })?.service, 'till')
})

test('another protocol is refused with a sentence', () => {
  const refused =
    /^a setting cannot be used:\n {2}OTEL_EXPORTER_OTLP_(TRACES_)?PROTOCOL .* must be "http\/json": it is the only protocol here, and collectors take it on the same port, got "(grpc|http\/protobuf)"/
  assert.match(problem({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }), refused)
  assert.match(problem({ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' }), refused)
})

test('values that mean nothing are refused', () => {
  for (const env of [
    { OTEL_TRACES_SAMPLER: 'sometimes' },
    { OTEL_TRACES_SAMPLER_ARG: '1.5' },
    { OTEL_PROPAGATORS: 'b3' },
    { OTEL_RESOURCE_ATTRIBUTES: 'team' },
    { OTEL_RESOURCE_ATTRIBUTES: 'team=%' },
    { OTEL_BSP_MAX_QUEUE_SIZE: '0' },
    { TRACE_TRUST: 'everybody' },
  ]) {
    const [name = ''] = Object.keys(env)
    assert.ok(problem(env).includes(`${name} (`), name)
  }
  assert.throws(() => read({ OTEL_TRACES_EXPORTER: 'zipkin' }), /must be "none" or "otlp"/)
})

test('propagators are those of the trace context, or none', () => {
  const propagates = (names: string): boolean | undefined =>
    read({ ...on, OTEL_PROPAGATORS: names })?.propagates
  assert.equal(propagates('tracecontext,baggage'), true)
  assert.equal(propagates('none'), false)
  assert.equal(propagates('baggage'), false)
})
