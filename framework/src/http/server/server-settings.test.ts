import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readScopes } from '../../settings/scope.ts'
import { serverScope } from './server-settings.ts'
import type { ServerValues } from './server-settings.ts'

function read(texts: Record<string, string>): ServerValues {
  const lookup = (name: string): { text: string; origin: string } | null => {
    const text = texts[name]
    return text === undefined ? null : { text, origin: 'the environment' }
  }
  return readScopes({ server: serverScope }, { environment: 'test', lookup }).server
}

test('without settings a project listens on 127.0.0.1:8087 in one process with a health probe', () => {
  assert.deepEqual(read({}), {
    host: '127.0.0.1',
    port: 8087,
    workers: 1,
    health: '/health',
    uploadBudget: 268_435_456,
    eventStreams: 10_000,
    eventStreamsPerPeer: 200,
    eventHeartbeat: 15,
    trustedProxies: [],
    url: 'http://localhost:8087',
    release: '',
    timeZone: 'UTC',
    logLevel: 'info',
    keepRequests: false,
    logFile: false,
    securityLogLines: 10,
    requestLog: null,
    requestLogPeer: 'network',
    slowQueryMs: 200,
    nPlusOne: null,
    drain: 30,
    drainDelay: 0,
    schedule: false,
    debugRemote: false,
    devBadge: true,
    observabilityFolder: 'storage/observability',
    observabilityInterval: 10,
    observabilityMaxAge: 60,
    metricsToken: null,
  })
})

test('HEALTH_PATH moves the probe and an empty one turns it off', () => {
  assert.equal(read({ HEALTH_PATH: '/alive' }).health, '/alive')
  assert.equal(read({ HEALTH_PATH: '' }).health, null)
  for (const bad of ['alive', '/a b', '/a?b', '/é']) {
    assert.throws(() => read({ HEALTH_PATH: bad }), { code: 'E_CONFIG_INVALID' })
  }
})

test('APP_TIMEZONE is a zone that exists, not an offset', () => {
  assert.equal(read({ APP_TIMEZONE: 'Europe/Berlin' }).timeZone, 'Europe/Berlin')
  for (const bad of ['Europe/Bonn', '+01:00', 'local']) {
    assert.throws(() => read({ APP_TIMEZONE: bad }), {
      code: 'E_CONFIG_INVALID',
      message: /APP_TIMEZONE .* must be a time zone such as Europe\/Berlin/,
    })
  }
})

test('APP_URL is an address without path, query or user: they would be missing in links', () => {
  for (const good of ['https://shop.example', 'https://shop.example/', 'http://[::1]:8087']) {
    assert.equal(read({ APP_URL: good }).url, good)
  }
  for (const bad of [
    'https://shop.example/shop',
    'https://shop.example/?lang=de',
    'https://shop.example?',
    'https://shop.example#top',
    'https://ada:hunter2@shop.example',
    'ftp://shop.example',
    'shop.example',
  ]) {
    assert.throws(() => read({ APP_URL: bad }), {
      code: 'E_CONFIG_INVALID',
      message: /APP_URL .* must be .*without a path/,
    })
  }
})

test('WORKERS is a number of one or more, or auto', () => {
  assert.equal(read({ WORKERS: '4' }).workers, 4)
  assert.equal(read({ WORKERS: 'auto' }).workers, 'auto')
  for (const bad of ['0', '-1', '1.5', 'many', '1025']) {
    assert.throws(() => read({ WORKERS: bad }), { code: 'E_CONFIG_INVALID' })
  }
})

test('METRICS_TOKEN is at least 16 characters of a bearer token, or nothing', () => {
  assert.equal(read({ METRICS_TOKEN: 'c2NyYXBlciBvbmx5/+=' }).metricsToken, 'c2NyYXBlciBvbmx5/+=')
  assert.equal(read({ METRICS_TOKEN: '' }).metricsToken, null)
  for (const bad of ['short', 'with a space in it!', 'é'.repeat(20)]) {
    assert.throws(() => read({ METRICS_TOKEN: bad }), { code: 'E_CONFIG_INVALID' })
  }
})
