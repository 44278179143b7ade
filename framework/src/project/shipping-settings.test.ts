import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigurationError } from '../base/errors.ts'
import { loadEnvironment } from '../settings/env-source.ts'
import type { EnvTexts } from '../settings/env-source.ts'
import { shippingSettings } from './shipping-settings.ts'

const read = (env: EnvTexts) => shippingSettings('/shop', loadEnvironment({ root: '/shop', env }))

const defaults = {
  folder: '/shop/storage/observability',
  maxAge: 60,
  endpoint: 'http://localhost:4318',
  headers: {},
  timeoutMs: 10_000,
  compression: 'none',
  service: 'framework',
}

test('without settings metrics go to the collector of this machine', () => {
  assert.deepEqual(read({}), defaults)
})

test('an empty variable counts as not given', () => {
  const names = ['ENDPOINT', 'HEADERS', 'TIMEOUT', 'COMPRESSION']
  const env = Object.fromEntries(names.map((name) => [`OTEL_EXPORTER_OTLP_${name}`, '']))
  assert.deepEqual(read({ ...env, OTEL_SERVICE_NAME: '' }), defaults)
})

test('the variables of OpenTelemetry say where and how', () => {
  const settings = read({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example/in',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b,x-org=7',
    OTEL_EXPORTER_OTLP_TIMEOUT: '2500',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_SERVICE_NAME: 'shop',
    FRAMEWORK_OBSERVABILITY_DIR: '/run/shop',
    FRAMEWORK_OBSERVABILITY_MAXAGE: '30',
  })
  assert.deepEqual(settings, {
    folder: '/run/shop',
    maxAge: 30,
    endpoint: 'https://otel.example/in',
    headers: { 'x-key': 'a b', 'x-org': '7' },
    timeoutMs: 2_500,
    compression: 'gzip',
    service: 'shop',
  })
})

test('the .env file of the project is read too', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'framework-shipping-'))
  t.after(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, '.env'), 'OTEL_SERVICE_NAME=shop\n')
  const settings = shippingSettings(root, loadEnvironment({ root, env: {} }))
  assert.equal(settings.service, 'shop')
  assert.equal(settings.folder, join(root, 'storage/observability'))
})

for (const [name, text] of [
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:hunter2'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://host/?key=hunter2'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key=1,hunter2'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key=hunter2%0ax'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'content-type=hunter2'],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s'],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', '-1'],
  ['OTEL_EXPORTER_OTLP_COMPRESSION', 'zstd'],
] as const) {
  test(`${name}=${text} is an error that names the variable and no secret`, () => {
    assert.throws(
      () => read({ [name]: text }),
      (error) => {
        assert.ok(error instanceof ConfigurationError)
        assert.equal(error.code, 'E_CONFIG_INVALID')
        assert.match(error.message, new RegExp(`${name} .* must be `))
        assert.doesNotMatch(error.message, /hunter2/)
        return true
      },
    )
  })
}
