import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect } from 'node:net'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { selfSigned } from '../../src/base/tls/self-signed.ts'
import { RunningCommand, runCommand } from '../support/command.ts'
import { answer, startCollector } from '../support/fake-collector.ts'
import { plantProject } from '../support/plant-project.ts'

const project = `import { defineProject } from 'framework'
  import { routeSet } from 'framework/http'
  const Failing = routeSet('Failing', (router) => {
    router.get('/orders', () => { throw new Error('sold out') })
  })
  export default defineProject({ name: 'shop', routes: [Failing] })`

const series = [{ labels: {}, value: 1 }]
const snapshot = { timestamp: 1, metrics: { jobs_total: { type: 'counter', help: '', series } } }

function plantShop(t: TestContext): string {
  return plantProject(t, {
    'project.ts': project,
    'storage/observability/worker-1-7.json': JSON.stringify(snapshot),
  })
}

/** Sends everything there is to send: a span, a log record, an event of Sentry, and metrics. */
async function sendAll(
  t: TestContext,
  cwd: string,
  origin: string,
  given: Readonly<Record<string, string>>,
): Promise<void> {
  const env = {
    SENTRY_DSN: `${origin.replace('://', '://abc@')}/42`,
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: origin,
    NODE_USE_ENV_PROXY: '1',
    ...given,
  }
  const shipped = await runCommand(t, ['ship-metrics'], { cwd, env })
  assert.deepEqual([shipped.status, shipped.stdout], [0, '200\n'], shipped.stderr)
  const server = new RunningCommand(t, ['serve', '--port', '0'], { cwd, env })
  assert.equal((await fetch(`${await server.url()}/orders`)).status, 500)
  assert.equal(await server.stop(), 0, server.stderr)
}

const paths = ['/api/42/envelope/', '/v1/logs', '/v1/metrics', '/v1/traces']

async function listen(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return address.port
}

test('all telemetry goes through the proxy of the environment', async (t) => {
  // What a proxy gets for a plain URL is a request for the whole of it.
  const proxy = await startCollector(t, answer(200))
  await sendAll(t, plantShop(t), 'http://collector.invalid:4318', { HTTP_PROXY: proxy.url })
  const targets = new Set(proxy.posts.map(({ target }) => target))
  assert.deepEqual(
    [...targets].toSorted(),
    paths.map((path) => `http://collector.invalid:4318${path}`),
  )
})

test('a collector behind TLS is reached through a tunnel of the proxy', async (t) => {
  const { cert, key } = selfSigned({ hosts: ['collector.invalid'] })
  const received = new Set<string>()
  const collector = createSecureServer({ cert, key }, (request, response) => {
    received.add(request.url ?? '')
    request.resume().once('end', () => response.end('{}'))
  })
  const collectorPort = await listen(t, collector)
  const asked = new Set<string>()
  const proxy = createServer().on('connect', (request, socket, head) => {
    asked.add(request.url ?? '')
    const tunnel = connect(collectorPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      tunnel.write(head)
      tunnel.pipe(socket).pipe(tunnel)
    })
    tunnel.on('error', () => socket.destroy())
    socket.on('error', () => tunnel.destroy())
  })
  const proxyPort = await listen(t, proxy)
  const cwd = plantShop(t)
  writeFileSync(join(cwd, 'ca.pem'), cert)
  await sendAll(t, cwd, 'https://collector.invalid:4318', {
    HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`,
    NODE_EXTRA_CA_CERTS: join(cwd, 'ca.pem'),
  })
  assert.deepEqual([...received].toSorted(), paths)
  assert.deepEqual([...asked], ['collector.invalid:4318'])
})

test('hosts in NO_PROXY are reached without the proxy', async (t) => {
  const proxy = await startCollector(t, answer(502))
  const collector = await startCollector(t, answer(200))
  const env = { HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1' }
  await sendAll(t, plantShop(t), collector.url, env)
  assert.deepEqual(proxy.posts, [])
  assert.deepEqual([...new Set(collector.posts.map(({ target }) => target))].toSorted(), paths)
})
