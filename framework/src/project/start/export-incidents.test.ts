import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { attributesOf, decodeOtlpLogs } from '../../../tests/support/decode-otlp.ts'
import { answer, startCollector } from '../../../tests/support/fake-collector.ts'
import { freePort } from '../../../tests/support/free-port.ts'
import { plantProject } from '../../../tests/support/plant-project.ts'
import { Throwables } from '../../errors/throwables/throwables.ts'
import { CurrentWork } from '../../activity/current-work.ts'
import { routeSet } from '../../http/router/route-set.ts'
import type { Server } from '../../http/server/server.ts'
import { assembleProject } from './assemble-project.ts'
import { defineProject } from '../project.ts'

const Failing = routeSet('Failing', (router) => {
  router.get('/orders/:id', () => {
    throw new Error('sold out')
  })
})
const project = defineProject({ name: 'shop', routes: [Failing] })

async function assembled(
  t: TestContext,
  env: Readonly<Record<string, string>>,
  environment: 'production' | 'test' = 'production',
): Promise<{ readonly server: Server; readonly root: string }> {
  const root = plantProject(t, { 'package.json': '{ "type": "module", "version": "4.5.6" }' })
  const { server } = await assembleProject({
    root,
    project,
    environment,
    env: { LOG_LEVEL: 'warn', LOG_FILE: 'on', APP_URL: 'https://shop.example/', ...env },
  })
  t.after(() => server.close())
  return { server, root }
}

test('an error of a request goes to Sentry and to the collector, with its route and release', async (t) => {
  const { url, posts } = await startCollector(t, answer(200))
  const { server } = await assembled(t, {
    SENTRY_DSN: `${url.replace('://', '://abc@')}/sentry/42`,
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_SERVICE_NAME: 'shop',
  })
  const { status } = await server.inject({ url: '/orders/7?token=hunter2' })
  assert.equal(status, 500)
  await server.close()
  assert.deepEqual(posts.map(({ target }) => target).toSorted(), [
    '/sentry/api/42/envelope/',
    '/v1/logs',
  ])
  const envelope = posts.find(({ target }) => target !== '/v1/logs')?.body.toString() ?? ''
  const event = JSON.parse(envelope.split('\n')[2] ?? '')
  assert.equal(event.transaction, 'GET /orders/:id')
  assert.equal(event.release, '4.5.6')
  assert.equal(event.environment, 'production')
  assert.deepEqual(event.request, { method: 'GET', url: 'https://shop.example/orders/7' })
  const body = posts.find(({ target }) => target === '/v1/logs')?.body.toString() ?? ''
  const { records, resource } = decodeOtlpLogs(body)
  assert.equal(resource['service.name'], 'shop')
  assert.equal(resource['service.version'], '4.5.6')
  assert.equal(attributesOf(records[0] ?? {})['http.route'], '/orders/:id')
  assert.doesNotMatch(envelope + body, /hunter2/)
})

test('without settings nothing is added, and in tests never', async (t) => {
  const reporters = Throwables.reporters.length
  const used = CurrentWork.isFollowed
  const SENTRY_DSN = 'http://abc@127.0.0.1:9/42'
  for (const [env, environment] of [
    [{}, 'production'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, 'production'],
    [{ OTEL_LOGS_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'true' }, 'production'],
    [{ SENTRY_DSN, OTEL_LOGS_EXPORTER: 'otlp' }, 'test'],
  ] as const) {
    await assembled(t, { ...env, REQUEST_LOG: 'off' }, environment)
    assert.equal(Throwables.reporters.length, reporters)
    assert.equal(CurrentWork.isFollowed, used)
  }
})

test('a dead server costs nothing but the errors: responses go out, and the log says so', async (t) => {
  const { server, root } = await assembled(t, {
    SENTRY_DSN: `http://hunter2@127.0.0.1:${await freePort()}/42`,
  })
  assert.equal((await server.inject({ url: '/orders/7' })).status, 500)
  await server.close()
  const log = readFileSync(join(root, 'storage/logs/server.log'), 'utf8')
  assert.match(log, /"message":"errors were not sent to sentry","context":\{"target":"sentry"/)
  assert.match(log, /"dropped":1,"reason":"http:\/\/127\.0\.0\.1:\d+\/api\/42\/envelope\/ did not/)
  assert.doesNotMatch(log, /hunter2/)
})

test('a server that closes stops sending', async (t) => {
  const { posts, url } = await startCollector(t, answer(200))
  const { server, root } = await assembled(t, { SENTRY_DSN: `${url.replace('://', '://a@')}/1` })
  await server.close()
  Throwables.notify(new Error('later'))
  await Throwables.settled(60_000)
  assert.equal(posts.length, 0)
  assert.equal(existsSync(join(root, 'storage/logs/server.log')), false)
})

test('settings that cannot work are refused at the start, without secrets', async (t) => {
  for (const env of [
    { SENTRY_DSN: 'https://hunter2@sentry.example/shop' },
    { OTEL_LOGS_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { OTEL_LOGS_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_LOGS_HEADERS: 'hunter2' },
  ]) {
    await assert.rejects(assembled(t, env), (thrown: Error) => {
      assert.doesNotMatch(thrown.message, /hunter2/)
      return 'code' in thrown && thrown.code === 'E_CONFIG_INVALID'
    })
  }
})
