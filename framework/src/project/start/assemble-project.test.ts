import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plantProject } from '../../../tests/support/plant-project.ts'
import { SecurityEvents } from '../../http/request/security-events.ts'
import { Emitter } from '../../events/emitter.ts'
import { assembleProject, createServer } from './assemble-project.ts'
import { defineProject } from '../project.ts'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { answer, startCollector } from '../../../tests/support/fake-collector.ts'
import { connect } from '../../database/connect.ts'
import { Recorder } from '../../devtools/inspector/recorder.ts'
import { RecordFile, recordPath } from '../../devtools/inspector/record-file.ts'
import { routeSet } from '../../http/router/route-set.ts'
import { serverScope } from '../../http/server/server-settings.ts'
import type { Environments } from '../../settings/environments.ts'
import { readScopes } from '../../settings/scope.ts'

for (const [lines, listeners] of [
  ['10', 1],
  ['0', 0],
] as const) {
  test(`with SECURITY_LOG_LINES=${lines} a project has ${listeners} security log until it is closed`, async (t) => {
    const root = plantProject(t, {})
    const project = defineProject({ name: 'shop', routes: [] })
    const channel = Emitter.Instance.channel(SecurityEvents.LimitExceeded)
    const before = channel.listeners.length
    const env = { LOG_LEVEL: 'silent', SECURITY_LOG_LINES: lines }
    const { server } = await assembleProject({ root, project, env })
    assert.equal(channel.listeners.length, before + listeners)
    await server.close()
    assert.equal(channel.listeners.length, before)
  })
}

const env = { LOG_LEVEL: 'silent' }
const project = defineProject({ name: 'shop', routes: [] })

test('in development a project has the inspector, which records while it serves', async (t) => {
  const root = plantProject(t, {})
  const { server } = await assembleProject({
    root,
    project,
    env: { ...env, PORT: '0' },
    environment: 'development',
  })
  t.after(() => server.close())
  assert.equal(Recorder.Instance, null)
  const { port } = await server.listen({ signals: false })
  assert.notEqual(Recorder.Instance, null)
  assert.equal((await fetch(`http://127.0.0.1:${port}/nothing`)).status, 404)
  const answer = await fetch(`http://127.0.0.1:${port}/inspect`)
  assert.equal(answer.status, 200)
  await server.close()
  assert.equal(Recorder.Instance, null)
  assert.ok(existsSync(recordPath(root)))
})

test('the inspector counts repeated statements as N_PLUS_ONE says', async (t) => {
  const root = plantProject(t, {
    'twice.mjs': `export async function twice(database) {
      for (const id of [1, 2]) await database.rows({ sql: 'SELECT ?', parameters: [id] })
    }`,
  })
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const Twice = routeSet('Twice', (router) => {
    router.get('/twice', async () => {
      const { twice } = await import(join(root, 'twice.mjs'))
      await twice(database)
      return 'done'
    })
  })
  for (const [repeats, expected] of [
    ['2', 1],
    ['3', 0],
  ] as const) {
    const { server } = await assembleProject({
      root,
      project: defineProject({ name: 'shop', routes: [Twice] }),
      env: { ...env, PORT: '0', N_PLUS_ONE: repeats },
      environment: 'development',
    })
    t.after(() => server.close())
    const { port } = await server.listen({ signals: false })
    assert.equal((await fetch(`http://127.0.0.1:${port}/twice`)).status, 200)
    await server.close()
    const file = new RecordFile(recordPath(root))
    const found = file.list({ words: '/twice' }).map((record) => record.repeats)
    file.close()
    assert.deepEqual(found, [expected], `N_PLUS_ONE=${repeats}`)
  }
})

test('the inspector works beside tracing, and knows the trace', async (t) => {
  const root = plantProject(t, {})
  const collector = await startCollector(t, answer(200))
  const Broken = routeSet('Broken', (router) => {
    router.get('/broken', () => {
      throw new Error('broken')
    })
  })
  const { server } = await assembleProject({
    root,
    project: defineProject({ name: 'shop', routes: [Broken] }),
    env: {
      ...env,
      PORT: '0',
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    },
    environment: 'development',
  })
  t.after(() => server.close())
  const { port } = await server.listen({ signals: false })
  const headers = { cookie: 'session=hunter22' }
  assert.equal((await fetch(`http://127.0.0.1:${port}/broken`, { headers })).status, 500)
  await server.close()
  const file = new RecordFile(recordPath(root))
  t.after(() => file.close())
  const record = file.read(1)
  assert.equal(record?.subject, 'GET /broken')
  assert.match(record.span?.traceId ?? '', /^[\da-f]{32}$/)
  assert.equal(record.incidents[0]?.span?.traceId, record.span?.traceId)
  assert.deepEqual(
    record.phases.map(({ kind }) => kind),
    ['middlewares', 'handler'],
  )
  assert.ok(!JSON.stringify(record).includes('hunter22'))
})

for (const [environment, badge, shown] of [
  ['development', '', true],
  ['development', 'off', false],
  ['production', 'on', false],
  ['test', 'on', false],
] as const) {
  test(`in ${environment} with DEV_BADGE=${badge} pages ${shown ? '' : 'do not '}have the badge`, async (t) => {
    const Home = routeSet('Home', (router) => {
      router.get('/', (_request, response) => response.html('<html><body>Home</body></html>'))
    })
    const { server } = await assembleProject({
      root: plantProject(t, {}),
      project: defineProject({ name: 'shop', routes: [Home] }),
      env: { ...env, PORT: '0', DEV_BADGE: badge },
      environment,
    })
    t.after(() => server.close())
    const { port } = await server.listen({ signals: false })
    const answer = await fetch(`http://127.0.0.1:${port}/`)
    assert.equal((await answer.text()).includes('data-dev-badge'), shown)
    const head = await fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' })
    assert.equal(Number(head.headers.get('content-length')) > 500, shown)
  })
}

test('the debug page shows the log lines of its request, and not those of others', async (t) => {
  const Orders = routeSet('Orders', (router) => {
    router.get('/orders/:id', ({ params }) => {
      logs.channel('shop').warn(`order ${params.id} is late`, { token: 'hunter22' })
      throw new Error('planted')
    })
  })
  const { server, logs } = await assembleProject({
    root: plantProject(t, {}),
    project: defineProject({ name: 'shop', routes: [Orders] }),
    env: { PORT: '0', LOG_LEVEL: 'warn' },
    environment: 'development',
  })
  t.after(() => server.close())
  const { port } = await server.listen({ signals: false })
  const [one, other] = await Promise.all(
    ['1', '2'].map(async (id) => {
      const headers = { accept: 'text/html' }
      return (await fetch(`http://127.0.0.1:${port}/orders/${id}`, { headers })).text()
    }),
  )
  assert.match(one ?? '', /<h3 class="title">Log<\/h3>.*>WARN shop: order 1 is late</s)
  assert.doesNotMatch(one ?? '', /order 2|hunter22/)
  assert.match(other ?? '', /WARN shop: order 2 is late/)
})

for (const environment of ['production', 'staging', 'test'] as const) {
  test(`in ${environment} there is no inspector and no page of the API, and nothing is recorded`, async (t) => {
    const root = plantProject(t, {})
    const { server } = await assembleProject({
      root,
      project,
      env: { ...env, PORT: '0', DEBUG_REMOTE: 'on' },
      environment,
    })
    t.after(() => server.close())
    const { port } = await server.listen({ signals: false })
    for (const path of ['/inspect', '/openapi', '/openapi.json']) {
      assert.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, 404, path)
    }
    assert.equal(Recorder.Instance, null)
    await server.close()
    assert.equal(existsSync(join(root, 'storage', 'inspector.sqlite')), false)
  })
}

for (const [environment, logged] of [
  ['production', true],
  ['test', false],
] satisfies [Environments, boolean][]) {
  test(`in ${environment} a throwable is ${logged ? '' : 'not '}written to exceptions.log`, async (t) => {
    const root = plantProject(t, {})
    const source = { environment, lookup: () => null }
    const { server: settings } = readScopes({ server: serverScope }, source)
    const { server } = createServer({
      root,
      environment,
      settings: { ...settings, port: 0, logLevel: 'error' },
      tls: null,
      views: null,
    })
    server.router.get('/boom', () => {
      throw new Error(`planted in ${environment}`)
    })
    await server.listen({ signals: false })
    await server.inject({ url: '/boom' })
    await server.close()
    const file = join(root, 'storage', 'logs', 'exceptions.log')
    assert.equal(existsSync(file), logged)
    if (logged) assert.match(readFileSync(file, 'utf8'), /"message":"planted in production"/)
  })
}
