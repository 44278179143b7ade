import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Server } from '../server/server.ts'
import { routeSet } from './route-set.ts'
import { Router } from './router.ts'

test('two routes that answer the same requests are an error that names both', () => {
  const router = new Router().get('/users/:id', () => '')
  assert.throws(() => router.get('/users/:name', () => ''), {
    code: 'E_ROUTE_CONFLICT',
    message: /GET \/users\/:name.*GET \/users\/:id/,
  })
})

test('an optional parameter conflicts with the route it would swallow', () => {
  const router = new Router().get('/posts', () => '')
  assert.throws(() => router.get('/posts/:page?', () => ''), { code: 'E_ROUTE_CONFLICT' })
})

test('the same path with another method or another constraint is no conflict', () => {
  const router = new Router()
    .get('/users/:id', () => '')
    .post('/users/:id', () => '')
    .get('/users/:id<int>', () => '')
  assert.equal(router.routes().length, 3)
})

test('a group puts its prefix and its middlewares before those of its routes', () => {
  function outer(): void {}
  function inner(): void {}
  const router = new Router().group(
    '/admin',
    (admin) => admin.group('/users', (users) => users.get('/', () => '', { middlewares: [inner] })),
    [outer],
  )
  const [route] = router.routes()
  assert.equal(route?.pattern, '/admin/users')
  assert.deepEqual(route?.middlewares, ['outer', 'inner'])
})

test('any declares GET, POST, PUT, PATCH and DELETE', () => {
  const methods = new Router().any('/x', () => '').routes()
  assert.deepEqual(
    methods.map(({ method }) => method),
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  )
})

test('routes remember the set they came from', () => {
  const server = new Server({ environment: 'test' })
  const Home = routeSet<{ title: string }>('Home', (routes, { title }) =>
    routes.get('/', () => title),
  )
  server.mount([Home], { title: 'hello' })
  assert.equal(server.router.routes()[0]?.set, 'Home')
})

test('a set listed twice in a manifest is an error that names it', () => {
  const Home = routeSet('Home', () => {})
  assert.throws(() => new Server({ environment: 'test' }).mount([Home, Home], {}), {
    code: 'E_ROUTE_SET',
    message: /Home/,
  })
})

test('a route added after the start is an error', () => {
  const router = new Router()
  router.freeze()
  assert.throws(() => router.get('/late', () => ''), { code: 'E_FROZEN' })
})

test('a middleware that cannot run is refused where it is declared', () => {
  const broken: unknown = { proces: () => {} }
  const router = new Router()
  assert.throws(
    () => Reflect.apply(router.get.bind(router), null, ['/', () => '', { middlewares: [broken] }]),
    {
      code: 'E_MIDDLEWARE',
    },
  )
})

test('a handler without a name has that of its route, for stacks', () => {
  const nameless = [() => '', () => ''] as const
  function listNotes(): string {
    return ''
  }
  new Router().get('/', nameless[0]).get('/notes', nameless[0]).post('/notes', listNotes)
  new Router().get('/frozen', Object.freeze(nameless[1]))
  assert.deepEqual(
    [...nameless, listNotes].map(({ name }) => name),
    ['GET /', '', 'listNotes'],
  )
})
