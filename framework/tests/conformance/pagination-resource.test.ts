import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { Repository } from '../../src/orm/repository.ts'
import { DatabaseResource } from '../../src/http/response/database-resource.ts'
import { Response } from '../../src/http/response/response.ts'
import { Server } from '../../src/http/server/server.ts'
import { serve } from '../support/serve.ts'
import { People, plantPeople } from './listed-people.ts'

test('an unbound resource throws an error that says what to do', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await assert.rejects(new DatabaseResource(database).paginate(People), {
    code: 'E_RESOURCE',
    message: /use response\.database or resource\.bind\(response\)/,
  })
  await assert.rejects(new Response().database.paginate(new Repository(People, database)), {
    code: 'E_RESOURCE',
  })
})

test('an entity without a database throws an error that says what to do', async () => {
  const server = new Server({ environment: 'test' })
  let error: unknown = null
  server.router.get('/', async (_request, response) => {
    error = await response.database.paginate(People).catch((thrown: unknown) => thrown)
    return 'done'
  })
  await server.inject({ url: '/' })
  assert.ok(error instanceof Error && 'code' in error)
  assert.equal(error.code, 'E_RESOURCE')
  assert.match(
    error.message,
    /read people from; pass a repository, or set a database with server\.res/,
  )
})

test('anything but an entity or a repository is rejected', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const server = new Server({ environment: 'test' })
  server.resources({ database: new DatabaseResource(database) })
  const codes: unknown[] = []
  server.router.get('/', async (_request, response) => {
    for (const source of ['people', null, {}]) {
      const given: typeof People = JSON.parse(JSON.stringify(source))
      await response.database.paginate(given).catch(({ code }) => codes.push(code))
    }
    return 'done'
  })
  await server.inject({ url: '/' })
  assert.deepEqual(codes, Array(3).fill('E_INVALID_ARGUMENT'))
})

test('binding leaves the resource itself unbound: two responses share nothing', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await plantPeople(database, 25)
  const shared = new DatabaseResource(database)
  const server = new Server({ environment: 'test' })
  server.router.get('/', async (_request, response) => {
    const bound = shared.bind(response)
    assert.notEqual(bound, shared)
    return bound.paginate(People)
  })
  const { headers } = await server.inject({ url: '/?page=2' })
  assert.equal(headers['x-total-count'], '25')
  await assert.rejects(shared.paginate(People), { code: 'E_RESOURCE' })
  assert.deepEqual(shared.links, { next: null, prev: null })
})

test('each response has its own resource', async () => {
  const server = new Server({ environment: 'test' })
  const seen: unknown[] = []
  server.router.get('/', (_request, response) => {
    assert.equal(response.database, response.database)
    seen.push(response.database)
    return 'done'
  })
  await server.inject({ url: '/' })
  await server.inject({ url: '/' })
  assert.equal(new Set(seen).size, 2)
})

test('the links of a list are available to views', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await plantPeople(database, 25)
  const server = new Server({ environment: 'test' })
  server.router.get('/', async (_request, response) => {
    await response.database.paginate(new Repository(People, database))
    return response.database.links
  })
  const answer = await server.inject({ url: '/?page=2' })
  assert.deepEqual(answer.json(), { next: '/?limit=10&page=3', prev: '/?limit=10&page=1' })
})

test('a malformed cursor that the route does not handle is a 400 and is not reported', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await plantPeople(database, 3)
  const people = new Repository(People, database)
  const { port, reported } = await serve(t, ({ router }) => {
    router.get('/people', (_request, response) => response.database.paginate(people))
    router.get('/mistaken', (_request, response) =>
      response.database.paginate(people, people.select().limit(3)),
    )
  })
  const ask = async (path: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}${path}`)).status
  assert.equal(await ask('/people?cursor=WzFd'), 200)
  assert.equal(await ask('/people?cursor=W10'), 400)
  assert.equal(await ask('/people?cursor=x'), 400)
  assert.deepEqual(reported, [])
  assert.equal(await ask('/mistaken?cursor=WzFd'), 500)
  assert.equal(reported.length, 1)
})

test('a list in a transaction is read in that transaction', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const server = new Server({ environment: 'test' })
  server.router.get('/', (_request, response) =>
    database.transaction(async (transaction) => {
      await plantPeople(transaction, 3)
      return new DatabaseResource(transaction).bind(response).paginate(People)
    }),
  )
  const { headers } = await server.inject({ url: '/' })
  assert.equal(headers['x-total-count'], '3')
})

test('an existing Link header is kept', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await plantPeople(database, 11)
  const server = new Server({ environment: 'test' })
  server.router.get('/', (_request, response) => {
    response.header('Link', '</style.css>; rel="preload"')
    return response.database.paginate(new Repository(People, database))
  })
  const { headers } = await server.inject({ url: '/' })
  assert.equal(headers['link'], '</style.css>; rel="preload", </?limit=10&page=2>; rel="next"')
})

test('cap and limit have shared defaults of 100 and 10 that can be changed', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await plantPeople(database, 120)
  const server = new Server({ environment: 'test' })
  server.resources({ database: new DatabaseResource(database) })
  server.router.get('/', (_request, response) => response.database.paginate(People))
  const limitOf = async (url: string): Promise<unknown> => {
    const body = (await server.inject({ url })).json()
    return typeof body === 'object' && body !== null && 'limit' in body && body.limit
  }
  assert.deepEqual([DatabaseResource.cap, DatabaseResource.limit], [100, 10])
  assert.deepEqual([await limitOf('/?limit=500'), await limitOf('/')], [100, 10])
  t.after(() => Object.assign(DatabaseResource, { cap: 100, limit: 10 }))
  DatabaseResource.cap = 20
  DatabaseResource.limit = 4
  assert.deepEqual([await limitOf('/?limit=500'), await limitOf('/')], [20, 4])
})

test('a cap or limit must be an integer of at least 1', () => {
  for (const rows of [0, -1, 1.5, Number.NaN, Infinity]) {
    assert.throws(() => new DatabaseResource(null, { cap: rows }), { code: 'E_INVALID_ARGUMENT' })
    assert.throws(() => new DatabaseResource(null, { limit: rows }), { code: 'E_INVALID_ARGUMENT' })
    assert.throws(() => (DatabaseResource.cap = rows), { code: 'E_INVALID_ARGUMENT' })
    assert.throws(() => (DatabaseResource.limit = rows), { code: 'E_INVALID_ARGUMENT' })
  }
})

test('a server takes a resource, not a database', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const given: object = { database }
  assert.throws(() => new Server({ environment: 'test' }).resources(given), {
    code: 'E_INVALID_ARGUMENT',
    message: /new Resources\.Database\(database\)/,
  })
})

test('a server without lists loads neither the database nor the ORM', () => {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    const { Server } = await import('framework/http')
    const server = new Server({ environment: 'test' })
    server.router.get('/', (request, response) => (response.database, 'hello'))
    await server.inject({ url: '/' })
    console.log(loaded.length, JSON.stringify(loaded.filter((url) => /\\/src\\/(database|orm)\\//.test(url))))`
  const flags = ['--conditions=source', '--input-type=module', '--eval', script]
  const cwd = join(import.meta.dirname, '..', '..')
  const said = execFileSync(process.execPath, flags, { cwd, encoding: 'utf8' })
  assert.match(said, /^[1-9]\d+ \[\]\n$/)
})
