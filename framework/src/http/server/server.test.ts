import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import { Emitter } from '../../events/emitter.ts'
import { defineLanguages } from '../../i18n/languages.ts'
import { HttpError } from '../errors/http-error.ts'
import { RequestEvents } from '../request/request-events.ts'
import { Response } from '../response/response.ts'
import type { MiddlewareObject } from '../router/middleware.ts'
import { routeSet } from '../router/route-set.ts'
import { Server } from './server.ts'
import type { ServerHost } from './server-host.ts'

function server(): Server {
  return new Server({
    environment: 'production',
    emitter: new Emitter(),
    throwables: createThrowables(),
  })
}

test('a handler may give back text, an object, bytes, a stream, nothing or the response', async () => {
  const app = server()
  app.router
    .get('/text', () => 'hello')
    .get('/json', () => ({ hello: 'world' }))
    .get('/bytes', () => Buffer.from([1, 2]))
    .get('/stream', () => Readable.from(['a', 'b']))
    .get('/nothing', () => {})
    .get('/later', async () => 'soon')
    .get('/response', (_request, response) => response.status(201).text('made'))
  const seen = []
  for (const url of ['/text', '/json', '/bytes', '/stream', '/nothing', '/later', '/response']) {
    const { status, headers, text } = await app.inject({ url })
    seen.push([status, headers['content-type'] ?? '', text])
  }
  assert.deepEqual(seen, [
    [200, 'text/plain; charset=utf-8', 'hello'],
    [200, 'application/json; charset=utf-8', '{"hello":"world"}'],
    [200, 'application/octet-stream', '\x01\x02'],
    [200, 'application/octet-stream', 'ab'],
    [204, '', ''],
    [200, 'text/plain; charset=utf-8', 'soon'],
    [201, 'text/plain; charset=utf-8', 'made'],
  ])
})

test('languages are prepared when the port is open', async (t) => {
  const languages = defineLanguages({ default: 'en', messages: { en: {}, de: {} } })
  const prepare = t.mock.method(languages, 'prepare')
  const app = server().languages(languages).configure({ host: '127.0.0.1', port: 0 })
  await app.inject({ url: '/' })
  assert.equal(prepare.mock.callCount(), 0)
  await app.listen({ signals: false })
  assert.equal(prepare.mock.callCount(), 1)
  await app.close()
})

test('HEAD is answered by the GET route without a body, with its length', async () => {
  const app = server()
  app.router.get('/', () => 'hello')
  const { status, headers, text } = await app.inject({ method: 'HEAD', url: '/' })
  assert.deepEqual([status, headers['content-length'], text], [200, '5', ''])
})

test('a HEAD route of its own does not hide the GET routes of other paths', async () => {
  const app = server()
  app.router.on('HEAD', '/own', (_request, response) => response.status(204))
  app.router.get('/other', () => 'x')
  assert.equal((await app.inject({ method: 'HEAD', url: '/own' })).status, 204)
  assert.equal((await app.inject({ method: 'HEAD', url: '/other' })).status, 200)
})

test('a known path with another method is a 405 that lists the allowed ones', async () => {
  const app = server()
  app.router.get('/users/:id', () => '').delete('/users/:id', () => '')
  const { status, headers } = await app.inject({ method: 'POST', url: '/users/1' })
  assert.deepEqual([status, headers['allow']], [405, 'GET, HEAD, DELETE, OPTIONS'])
})

test('OPTIONS lists the methods of a path', async () => {
  const app = server()
  app.router.get('/', () => '')
  const { status, headers } = await app.inject({ method: 'OPTIONS', url: '/' })
  assert.deepEqual([status, headers['allow']], [204, 'GET, HEAD, OPTIONS'])
})

test('an unknown path is a 404', async () => {
  assert.equal((await server().inject({ url: '/nowhere' })).status, 404)
})

test('a slash too many is sent to the path without it, query kept, and never off the site', async () => {
  const app = server()
  app.router.get('/users', () => '').get('/*any', () => 'caught')
  const { status, headers } = await app.inject({ url: '/users/?page=2' })
  assert.equal(status, 200)
  const strict = server()
  strict.router.get('/users', () => '').get('/:x/:y', () => '')
  const redirected = await strict.inject({ url: '/users/?page=2' })
  assert.deepEqual([redirected.status, redirected.headers['location']], [308, '/users?page=2'])
  assert.equal((await strict.inject({ url: '//evil.example/x/' })).status, 404)
  const backslash = await strict.inject({ url: '/users/?q=a\\b' })
  assert.deepEqual([backslash.status, backslash.headers['location']], [308, '/users?q=a%5Cb'])
  const inPath = await strict.inject({ url: '/a\\b/c/' })
  assert.deepEqual([inPath.status, inPath.headers['location']], [308, '/a%5Cb/c'])
  assert.equal((await strict.inject({ url: '/users/?q=\u0085' })).status, 400)
  assert.equal(headers['location'], undefined)
})

test('middlewares run around the handler like the layers of an onion, server before route', async () => {
  const app = server()
  const order: string[] = []
  app.use(async (_request, _response, next) => {
    order.push('server in')
    const response = await next()
    order.push('server out')
    return response
  })
  const around: MiddlewareObject = {
    process(_request, _response, next) {
      order.push('route in')
      return next()
    },
  }
  app.router.get('/', () => order.push('handler') && 'x', { middlewares: [around] })
  await app.inject({ url: '/' })
  assert.deepEqual(order, ['server in', 'route in', 'handler', 'server out'])
})

test('a limit of a route runs before those of the server', async () => {
  const app = server()
  const order: string[] = []
  app.use((_request, _response, next) => {
    order.push('server')
    return next()
  })
  const limit: MiddlewareObject = {
    phase: 'limits',
    process(_request, _response, next) {
      order.push('limit')
      return next()
    },
  }
  app.router.get('/', () => 'x', { middlewares: [limit] })
  await app.inject({ url: '/' })
  assert.deepEqual(order, ['limit', 'server'])
})

test('a middleware that calls next and forgets to give its response back still works', async () => {
  const app = server()
  app.use((_request, _response, next) => {
    void next()
  })
  app.use(async (_request, _response, next) => {
    void next()
  })
  app.router.get('/', async () => {
    await turn()
    return 'late answer'
  })
  assert.equal((await app.inject({ url: '/' })).text, 'late answer')
})

test('a middleware that neither goes on nor answers is an error that names it', async () => {
  const throwables = createThrowables()
  const seen: Error[] = []
  throwables.reporters.push((error) => seen.push(error))
  const app = new Server({ environment: 'production', throwables })
  app.use(function forgetful() {})
  app.router.get('/', () => 'x')
  assert.equal((await app.inject({ url: '/' })).status, 500)
  assert.match(seen[0]?.message ?? '', /forgetful/)
})

test('calling next twice is an error', async () => {
  const throwables = createThrowables()
  const seen: unknown[] = []
  throwables.reporters.push((error) => seen.push(Reflect.get(error, 'code')))
  const app = new Server({ environment: 'production', throwables })
  app.use(async (_request, _response, next) => {
    await next()
    return next()
  })
  app.router.get('/', () => 'x')
  assert.equal((await app.inject({ url: '/' })).status, 500)
  assert.deepEqual(seen, ['E_NEXT_TWICE'])
})

test('finish has the last word on every answer, error answers included, inner ones first', async () => {
  const app = server()
  const order: string[] = []
  const finisher = (name: string): MiddlewareObject => ({
    process: (_request, _response, next) => next(),
    finish: (_request, response) => {
      order.push(name)
      response.header('X-Last', name)
    },
  })
  app.use(finisher('outer'), finisher('inner'))
  app.router.get('/boom', () => {
    throw new Error('boom')
  })
  for (const url of ['/boom', '/nowhere']) {
    const { headers } = await app.inject({ url })
    assert.equal(headers['x-last'], 'outer')
  }
  assert.deepEqual(order, ['inner', 'outer', 'inner', 'outer'])
})

test('beforeHead has a word on the answer of its request, whatever becomes of it', async () => {
  const app = server()
  app.router.get('/:how', async (request, response) => {
    request.beforeHead(() => {
      throw new Error('planted')
    })
    request.beforeHead((headers) => headers.set('X-Kept', 'yes'))
    await turn()
    if (request.params.how === 'fails') throw new HttpError(409)
    return request.params.how === 'other' ? new Response().text('other') : response.text('own')
  })
  for (const [url, status] of [
    ['/works', 200],
    ['/other', 200],
    ['/fails', 409],
  ] as const) {
    const answer = await app.inject({ url })
    assert.deepEqual([answer.status, answer.headers['x-kept']], [status, 'yes'], url)
  }
})

test('Received and Handled are emitted once for every request, also for one that fails', async () => {
  const emitter = new Emitter()
  const app = new Server({ environment: 'production', emitter, throwables: createThrowables() })
  const seen: string[] = []
  emitter.listen(RequestEvents.Received, (request) => seen.push(`received ${request.path}`))
  emitter.listen(RequestEvents.Handled, (request, response) =>
    seen.push(`handled ${request.path} ${response.code}`),
  )
  app.router.get('/ok', async () => 'x').get('/stream', () => Readable.from(['x']))
  app.router.get('/boom', () => {
    throw new HttpError(418)
  })
  for (const url of ['/ok', '/boom', '/stream']) await app.inject({ url })
  assert.deepEqual(seen, [
    'received /ok',
    'handled /ok 200',
    'received /boom',
    'handled /boom 418',
    'received /stream',
    'handled /stream 200',
  ])
})

test('the health probe answers before routes and middlewares, on its exact path only', async () => {
  const app = server().configure({ health: '/health' })
  app.use(() => {
    throw new HttpError(503)
  })
  app.router.get('/health', () => 'shadowed')
  const probe = await app.inject({ url: '/health' })
  assert.deepEqual(
    [probe.status, probe.text, probe.headers['cache-control'], probe.headers['content-length']],
    [200, '{"status":"ok"}', 'no-store', '15'],
  )
  assert.equal((await app.inject({ method: 'HEAD', url: '/health' })).status, 200)
  assert.equal((await app.inject({ url: '/health?x=1' })).status, 503)
  assert.equal((await app.inject({ method: 'POST', url: '/health' })).status, 503)
})

test('without the option there is no health probe', async () => {
  assert.equal((await server().inject({ url: '/health' })).status, 404)
})

test('an option that cannot work is refused with its name, what it takes and what came', () => {
  assert.throws(() => server().configure({ port: 70_000 }), /"port" must be 0 to 65535, got 70000/)
  assert.throws(() => server().configure({ workers: 0 }), /"workers"/)
  assert.throws(() => server().configure({ health: 'health' }), /"health"/)
  assert.throws(() => server().configure({ limits: { body: -1 } }), { code: 'E_LIMIT' })
  assert.throws(() => server().configure({ trustedProxies: ['10.0.0.0/99'] }), { code: 'E_PROXY' })
})

test('configure called again keeps what was set before, and an invalid call changes nothing', async () => {
  const app = server()
    .configure({ health: '/health' })
    .configure({ limits: { body: 3 } })
    .configure({ port: 0 })
  assert.throws(() => app.configure({ health: '/other', port: -1 }), /"port"/)
  app.router.post('/', async (request) => request.text())
  assert.equal((await app.inject({ url: '/health' })).status, 200)
  assert.equal((await app.inject({ method: 'POST', url: '/', body: 'four' })).status, 413)
})

test('route sets mounted before the server is configured see its options all the same', () => {
  const app = server()
  let host: ServerHost | null = null
  const set = routeSet<object>('Asks', (_router, _services, server) => void (host = server))
  app.mount([set], {}).configure({ url: 'https://shop.example' })
  assert.equal(Reflect.get(Object(host), 'url'), 'https://shop.example')
})

test('middlewares and options cannot be added once the server has started', async () => {
  const app = server()
  await app.inject({ url: '/' })
  assert.throws(() => app.use(() => {}), { code: 'E_FROZEN' })
  assert.throws(() => app.configure({}), { code: 'E_FROZEN' })
})

test('onClose hooks run in reverse order, and a failing one does not stop the others', async () => {
  const app = server().configure({ port: 0 })
  const order: number[] = []
  app.onClose(() => order.push(1))
  app.onClose(() => {
    throw new Error('cannot close')
  })
  app.onClose(async () => order.push(3))
  await app.listen({ signals: false })
  await app.close()
  assert.deepEqual(order, [3, 1])
})
