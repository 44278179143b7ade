import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { freePort } from '../../../tests/support/free-port.ts'
import { plantProject } from '../../../tests/support/plant-project.ts'
import { serveProject } from './serve-project.ts'
import type { ServeOptions, ServedProject } from './serve-project.ts'

const project = `import { appendFileSync } from 'node:fs'
  import { defineProject, env, scope } from 'framework'
  import { routeSet } from 'framework/http'
  const shop = scope('shop', { word: env.string('WORD', { meaning: 'a word' }) })
  const Home = routeSet('Home', (router, { word }) => {
    router.get('/', (request, response) => response.view('home', { word }))
  })
  export default defineProject({
    name: 'shop',
    configs: { shop },
    services: ({ configs, root }) => ({
      word: configs.shop.word,
      door: { close: () => appendFileSync(root + '/closed', 'x') },
    }),
    routes: [Home],
    banner: () => [{ label: 'database', value: 'none' }],
  })`
const files = { 'project.ts': project, 'views/home.template.html': 'The word is <%= it.word %>' }
const env = { LOG_LEVEL: 'silent', DRAIN: '0.1', WORD: 'bread' }

async function serve(t: TestContext, options: ServeOptions): Promise<ServedProject> {
  const served = await serveProject({ env, port: 0, signals: false, ...options })
  t.after(() => served.close())
  return served
}

test('a project is served until it is closed, and then its services are closed', async (t) => {
  const root = plantProject(t, files)
  const served = await serve(t, { root })
  assert.equal(served.url, `http://localhost:${served.port}`)
  assert.equal(served.environment, 'production')
  assert.deepEqual(served.banner, [{ label: 'database', value: 'none' }])
  assert.equal(await text(served.url), 'The word is bread')
  assert.equal(await text(`${served.url}/health`), '{"status":"ok"}')
  await served.close()
  assert.equal(readFileSync(join(root, 'closed'), 'utf8'), 'x')
  await assert.rejects(fetch(served.url))
})

test('HEALTH_PATH moves the probe, and an empty one turns it off', async (t) => {
  const root = plantProject(t, { ...files, '.env': 'HEALTH_PATH=/alive\n' })
  const moved = await serve(t, { root })
  assert.equal((await fetch(`${moved.url}/alive`)).status, 200)
  assert.equal((await fetch(`${moved.url}/health`)).status, 404)
  const off = await serve(t, { root, env: { ...env, HEALTH_PATH: '' } })
  assert.equal((await fetch(`${off.url}/alive`)).status, 404)
})

test('without APP_URL the address of the site is where it listens', async (t) => {
  const root = plantProject(t, {
    'project.ts': `import { defineProject } from 'framework'
      export default defineProject({
        name: 'shop',
        services: ({ server }) => ({ url: server.url }),
        routes: [],
        banner: ({ url }) => [{ label: 'site', value: url }],
      })`,
  })
  const port = await freePort()
  for (const [settings, expected] of [
    [{}, `http://localhost:${port}`],
    [{ HOST: '0.0.0.0' }, `http://localhost:${port}`],
    [{ APP_URL: 'https://shop.example' }, 'https://shop.example'],
  ] as const) {
    const served = await serve(t, { root, port, env: { ...env, ...settings } })
    assert.deepEqual(served.banner, [{ label: 'site', value: expected }])
    await served.close()
  }
  const { banner } = await serve(t, { root, port, https: true })
  assert.deepEqual(banner, [{ label: 'site', value: `https://localhost:${port}` }])
})

test('in development the banner names the pages for developers that there are', async (t) => {
  const root = plantProject(t, files)
  const { banner } = await serve(t, { root, environment: 'development' })
  assert.deepEqual(banner, [
    { label: 'database', value: 'none' },
    { label: 'tools', value: '/inspect /openapi' },
  ])
})

test('in development a view that changes is read again, elsewhere not', async (t) => {
  for (const [environment, expected] of [
    ['development', 'changed'],
    ['production', 'The word is bread'],
  ] as const) {
    const root = plantProject(t, files)
    const served = await serve(t, { root, environment })
    assert.equal(await text(served.url), 'The word is bread')
    writeFileSync(join(root, 'views', 'home.template.html'), 'changed')
    assert.equal(await text(served.url), expected)
  }
})

test('a broken view stops the start, but not in development', async (t) => {
  const root = plantProject(t, { ...files, 'views/other.template.html': '<% if ( %>' })
  await assert.rejects(serve(t, { root }), {
    code: 'E_TEMPLATE_COMPILE',
  })
  const environment = 'development'
  const served = await serve(t, { root, environment })
  assert.equal(await text(served.url), 'The word is bread')
})

test('one error names the bad settings of the framework and of the project', async (t) => {
  const root = plantProject(t, files)
  await assert.rejects(serve(t, { root, env: { PORT: 'x' } }), {
    code: 'E_CONFIG_INVALID',
    message: /2 settings cannot be used:[^]*WORD[^]*PORT/,
  })
})

test('a port that is taken is an error, and the services are closed again', async (t) => {
  const root = plantProject(t, files)
  const first = await serve(t, { root })
  await assert.rejects(serve(t, { root, port: first.port }), {
    code: 'E_LISTEN',
  })
  assert.equal(readFileSync(join(root, 'closed'), 'utf8'), 'x')
})

test('with https the certificate in storage/tls is the one to trust', async (t) => {
  const root = plantProject(t, files)
  const served = await serve(t, { root, https: true })
  const ca = readFileSync(join(root, 'storage', 'tls', 'local.pem'))
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(served.url, { ca, agent: false }, resolve).once('error', reject)
  })
  assert.equal(Buffer.concat(await response.toArray()).toString(), 'The word is bread')
  assert.match(served.url, /^https:/)
})

async function text(url: string): Promise<string> {
  return (await fetch(url)).text()
}
