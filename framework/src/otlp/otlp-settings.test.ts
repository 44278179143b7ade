import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadEnvironment } from '../settings/env-source.ts'
import type { EnvTexts } from '../settings/env-source.ts'
import { otlpSettings } from './otlp-settings.ts'

const read = (env: EnvTexts) => otlpSettings('LOGS', loadEnvironment({ root: '/shop', env }))

test('without settings logs go to the collector of this machine', () => {
  assert.deepEqual(read({}), {
    endpoint: 'http://localhost:4318',
    isWholeUrl: false,
    headers: {},
    timeoutMs: 10_000,
    compression: 'none',
    service: null,
    attributes: {},
  })
})

test('the variables of logs win over those of everything, whose values count otherwise', () => {
  const common = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example/in',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=common',
    OTEL_EXPORTER_OTLP_TIMEOUT: '2500',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
  }
  const { endpoint, isWholeUrl, headers, timeoutMs, compression } = read(common)
  assert.deepEqual(
    { endpoint, isWholeUrl, headers, timeoutMs, compression },
    {
      endpoint: 'https://otel.example/in',
      isWholeUrl: false,
      headers: { 'x-key': 'common' },
      timeoutMs: 2_500,
      compression: 'gzip',
    },
  )
  const own = read({
    ...common,
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'https://logs.example/take/',
    OTEL_EXPORTER_OTLP_LOGS_HEADERS: 'x-key=own',
    OTEL_EXPORTER_OTLP_LOGS_TIMEOUT: '',
    OTEL_EXPORTER_OTLP_LOGS_COMPRESSION: 'none',
  })
  assert.equal(own.endpoint, 'https://logs.example/take/')
  assert.equal(own.isWholeUrl, true)
  assert.deepEqual(own.headers, { 'x-key': 'own' })
  assert.equal(own.timeoutMs, 2_500)
  assert.equal(own.compression, 'none')
})

test('the service is OTEL_SERVICE_NAME, else the attribute of the resource', () => {
  const OTEL_RESOURCE_ATTRIBUTES = 'service.name=shop,deployment.region=eu%2Cwest'
  assert.equal(read({ OTEL_RESOURCE_ATTRIBUTES }).service, 'shop')
  assert.equal(read({ OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME: 'till' }).service, 'till')
  assert.deepEqual(read({ OTEL_RESOURCE_ATTRIBUTES }).attributes, {
    'deployment.region': 'eu,west',
  })
})

test('another protocol is refused, unless logs have one that is spoken', () => {
  assert.throws(() => read({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }), {
    code: 'E_CONFIG_INVALID',
    message:
      /OTEL_EXPORTER_OTLP_PROTOCOL \(protocol of the collector\) must be "http\/json": it is .*, got "grpc"/,
  })
  const OTEL_EXPORTER_OTLP_LOGS_PROTOCOL = 'http/json'
  assert.ok(read({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_LOGS_PROTOCOL }))
  assert.throws(() => read({ OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: 'http/protobuf' }), /LOGS_PROTOCOL/)
})

test('all invalid values are listed, and no secret is shown', () => {
  const error = (): unknown =>
    read({
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'ftp://hunter2',
      OTEL_EXPORTER_OTLP_LOGS_HEADERS: 'hunter2',
      OTEL_EXPORTER_OTLP_LOGS_TIMEOUT: 'soon',
      OTEL_RESOURCE_ATTRIBUTES: '=x',
    })
  assert.throws(error, (thrown: Error) => {
    for (const name of ['LOGS_ENDPOINT', 'LOGS_HEADERS', 'LOGS_TIMEOUT', 'RESOURCE_ATTRIBUTES']) {
      assert.match(thrown.message, new RegExp(name))
    }
    assert.doesNotMatch(thrown.message, /hunter2/)
    return true
  })
})
