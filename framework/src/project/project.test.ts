import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createThrowables } from '../errors/throwables/throwables.ts'
import { Views } from '../base/templates/views.ts'
import { env } from '../settings/env.ts'
import type { EnvSource } from '../settings/env-source.ts'
import { readScopes, scope } from '../settings/scope.ts'
import { serverScope } from '../http/server/server-settings.ts'
import { connect } from '../database/connect.ts'
import { key } from '../orm/entity/column.ts'
import { entity } from '../orm/entity/entity.ts'
import { sql } from '../database/sql/plan/statement.ts'
import { Logs } from '../logs/logs.ts'
import { DatabaseResource } from '../http/response/database-resource.ts'
import { routeSet } from '../http/router/route-set.ts'
import { Server } from '../http/server/server.ts'
import type { Boot, ProjectContext } from './boot.ts'
import { defineProject } from './project.ts'

const shop = scope('shop', {
  name: env.string('SHOP_NAME', { default: 'Corner', meaning: 'name of the shop' }),
  shelves: env.integer('SHOP_SHELVES', { default: 3, meaning: 'number of shelves' }),
})
const configs = { shop }

const source: EnvSource = {
  environment: 'test',
  lookup: (name) => (name === 'SHOP_SHELVES' ? { text: '7', origin: '.env' } : null),
}
const context: ProjectContext = {
  ready: () => {},
  clock: () => 0,
  server: readScopes({ server: serverScope }, source).server,
  environment: 'test',
  logs: new Logs({ sinks: [] }),
  root: '/nowhere',
  storageFolder: '/nowhere/storage',
}

test('services are built from the settings and reach the routes', async () => {
  const services = async ({ configs: { shop: values }, environment }: Boot<typeof configs>) => {
    const shelves: number = values.shelves
    return { sign: `${values.name} has ${shelves} shelves in ${environment}` }
  }
  const Sign = routeSet<{ sign: string }>('Sign', (router, { sign }) => {
    router.get('/sign', () => sign)
  })
  const server = new Server({ environment: 'test' })
  const project = defineProject({ name: 'shop', configs, services, routes: [Sign] })
  await project.install(server, context, source)
  const answer = await server.inject({ url: '/sign' })
  assert.equal(answer.text, 'Corner has 7 shelves in test')
})

test('services with close() are closed last first, once each, and one that fails stops no other', async () => {
  const closed: string[] = []
  const service = (name: string): { close(): void } => ({ close: () => void closed.push(name) })
  const first = service('first')
  const broken = {
    close(): void {
      closed.push('broken')
      throw new Error('cannot close')
    },
  }
  const server = new Server({
    environment: 'test',
    throwables: createThrowables(),
  })
  const project = defineProject({
    name: 'shop',
    services: () => ({ first, same: first, plain: 'no service', broken, last: service('last') }),
    routes: [],
  })
  await project.install(server, context, source)
  await server.close()
  assert.deepEqual(closed, ['last', 'broken', 'first'])
})

test('a project brings middlewares of its own in place of the default stack', async () => {
  const Hello = routeSet<object>('Hello', (router) => {
    router.get('/', () => 'hello')
  })
  const plain = new Server({ environment: 'test' })
  await defineProject({ name: 'shop', routes: [Hello] }).install(plain, context, source)
  assert.ok((await plain.inject({ url: '/' })).headers['x-request-id'])

  const own = new Server({ environment: 'test' })
  const project = defineProject({
    name: 'shop',
    configs,
    services: () => ({ word: 'closed' }),
    routes: [Hello],
    middlewares: ({ services, configs: values }) => [
      (_request, response) => response.text(`${values.shop.name} is ${services.word}`),
    ],
  })
  await project.install(own, context, source)
  const answer = await own.inject({ url: '/' })
  assert.equal(answer.text, 'Corner is closed')
  assert.equal(answer.headers['x-request-id'], undefined)
})

test('the resources of responses are made from the services', async () => {
  const Letters = entity('letters', { id: key.text() })
  const List = routeSet<object>('List', (router) => {
    router.get('/letters', (_request, response) => response.database.paginate(Letters))
  })
  const server = new Server({ environment: 'test' })
  const project = defineProject({
    name: 'shop',
    services: async () => {
      const database = await connect('sqlite::memory:')
      await database.run(sql`CREATE TABLE letters (id TEXT PRIMARY KEY)`)
      await database.run(sql`INSERT INTO letters VALUES ('a'), ('b'), ('c')`)
      return { database }
    },
    routes: [List],
    resources: ({ database }) => ({ database: new DatabaseResource(database, { cap: 2 }) }),
  })
  await project.install(server, context, source)
  const answer = await server.inject({ url: '/letters?limit=5&cursor=' })
  await server.close()
  assert.deepEqual(answer.json(), { items: [{ id: 'a' }, { id: 'b' }], limit: 2, next: 'WyJiIl0' })
})

test('the banner lines come from the services', async () => {
  const project = defineProject({
    name: 'shop',
    services: () => ({ file: 'shop.sqlite' }),
    routes: [],
    banner: ({ file }) => [{ label: 'database', value: file }],
  })
  const banner = await project.install(new Server(), context, source)
  assert.deepEqual(banner, [{ label: 'database', value: 'shop.sqlite' }])
})

test('checks get the settings, and a project without them has no findings', async () => {
  const finding = { level: 'error', what: 'no shelf', why: 'bread falls', fix: 'add one' } as const
  const project = defineProject({
    name: 'shop',
    configs,
    routes: [],
    checks: async ({ configs: { shop: values }, environment }) =>
      values.shelves === 7 && environment === 'test' ? [finding] : [],
  })
  assert.deepEqual(await project.checks(context, source), [finding])
  const bare = defineProject({ name: 'shop', routes: [] })
  assert.deepEqual(await bare.checks(context, source), [])
})

test('a part that is missing or misshapen is named', () => {
  const refused = (parts: object, part: string): void => {
    const definition = { name: 'shop', routes: [], ...parts }
    const message = new RegExp(`^defineProject: "${part}" must be `)
    assert.throws(() => defineProject(definition), { code: 'E_PROJECT', message })
  }
  refused({ name: '' }, 'name')
  refused({ routes: undefined }, 'routes')
  refused({ services: {} }, 'services')
  refused({ resources: {} }, 'resources')
  refused({ middlewares: [] }, 'middlewares')
  refused({ sessions: {} }, 'sessions')
  refused({ rateLimits: {} }, 'rateLimits')
  refused({ sessions: () => {}, middlewares: () => [] }, 'sessions')
  refused({ checks: [] }, 'checks')
  refused({ banner: 'x' }, 'banner')
  refused({ configs: null }, 'configs')
  refused({ configs: { shop: {} } }, 'configs.shop')
})

test('services that are no object are refused', async () => {
  const services = (): object => JSON.parse('"text"')
  const project = defineProject({ name: 'shop', services, routes: [] })
  await assert.rejects(project.install(new Server(), context, source), {
    code: 'E_PROJECT',
    message: 'defineProject: the result of services() must be an object',
  })
})

test('globals come from the services', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'globals-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'sign.template.html'), '<%= it.site.title %>')
  const Sign = routeSet<object>('Sign', (router) => {
    router.get('/sign', (_request, response) => response.view('sign'))
  })
  const server = new Server({ environment: 'test' }).configure({ views: new Views(folder) })
  const project = defineProject({
    name: 'shop',
    services: () => ({ site: { title: 'Corner' } }),
    routes: [Sign],
    globals: ({ site }) => ({ site }),
  })
  await project.install(server, context, source)
  assert.equal((await server.inject({ url: '/sign' })).text, 'Corner')
})
