import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RunningCommand } from '../support/command.ts'
import { answer, startCollector } from '../support/fake-collector.ts'
import { plantProject } from '../support/plant-project.ts'

const project = `import { defineProject } from 'framework'
  import { routeSet } from 'framework/http'
  const Failing = routeSet('Failing', (router) => {
    router.get('/late', () => {
      setImmediate(() => { throw new Error('last words') })
      return 'fine'
    })
    router.get('/orders', () => { throw new Error('sold out') })
  })
  export default defineProject({ name: 'shop', routes: [Failing] })`

const env = (url: string): Record<string, string> => ({
  SENTRY_DSN: `${url.replace('://', '://abc@')}/42`,
  OTEL_LOGS_EXPORTER: 'otlp',
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  APP_RELEASE: 'r7',
})

test('an uncaught error is sent before the process ends with status 255', async (t) => {
  const { url, posts } = await startCollector(t, answer(200))
  const root = plantProject(t, { 'project.ts': project })
  const command = new RunningCommand(t, ['serve', '--port', '0'], { cwd: root, env: env(url) })
  const site = await command.url()
  await fetch(`${site}/late`).catch(() => undefined)
  assert.equal(await command.end(), 255)
  const received = Object.fromEntries(posts.map(({ target, body }) => [target, String(body)]))
  const event = JSON.parse(received['/api/42/envelope/']?.split('\n')[2] ?? '')
  assert.equal(event.level, 'fatal')
  assert.equal(event.release, 'r7')
  assert.equal(event.exception.values[0].value, 'last words')
  assert.equal(event.exception.values[0].mechanism.handled, false)
  assert.match(received['/v1/logs'] ?? '', /"severityText":"FATAL".*last words/)
})

test('a collector that never answers does not keep a process alive that was told to stop', async (t) => {
  const { url, posts } = await startCollector(t, () => {})
  const root = plantProject(t, { 'project.ts': project })
  // Much longer than this test may take.
  const OTEL_EXPORTER_OTLP_TIMEOUT = '3600000'
  const command = new RunningCommand(t, ['serve', '--port', '0'], {
    cwd: root,
    env: {
      OTEL_LOGS_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_TIMEOUT,
    },
  })
  const site = await command.url()
  assert.equal((await fetch(`${site}/orders`)).status, 500)
  assert.equal(await command.stop(), 0, command.stderr)
  assert.equal(posts.length, 1)
})
