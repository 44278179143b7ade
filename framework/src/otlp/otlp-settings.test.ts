import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadEnvironment } from '../settings/env-source.ts'
import type { EnvTexts } from '../settings/env-source.ts'
import { otlpSettings, parseAttributes, parseHeaders } from './otlp-settings.ts'

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

test('attributes are pairs between commas with encoded parts', () => {
  assert.deepEqual(parseAttributes(' team = shop , region=eu%2Cwest,,empty=,sum=1=1'), {
    team: 'shop',
    region: 'eu,west',
    empty: '',
    sum: '1=1',
  })
  assert.deepEqual(parseAttributes(''), {})
})

test('a pair without a name, a broken encoding and parts that are too long are invalid', () => {
  const long = 'x'.repeat(1_025)
  for (const text of ['=x', 'x', 'a=1,b', 'a=%', '%=a', `${long}=a`, `a=${long}`]) {
    assert.equal(parseAttributes(text), undefined, text)
  }
})

test('pairs are split at commas and at the first equals sign, and URL-decoded', () => {
  assert.deepEqual(parseHeaders('a=1,b=x%20y%2Cz , Authorization=Basic%20dTpw==,'), {
    a: '1',
    b: 'x y,z',
    Authorization: 'Basic dTpw==',
  })
  assert.deepEqual(parseHeaders('empty='), { empty: '' })
  assert.deepEqual(parseHeaders(' '), {})
})

for (const text of [
  'secret',
  'a=1,secret',
  '=secret',
  'a b=1',
  'a=%zz',
  'a=x%0d%0ay',
  'a=%E2%82%AC',
]) {
  test(`${text} is not a list of headers`, () => {
    assert.equal(parseHeaders(text), undefined)
  })
}
