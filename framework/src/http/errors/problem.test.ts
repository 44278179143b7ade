import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import { Server } from '../server/server.ts'
import { HttpError } from './http-error.ts'
import { Problem } from './problem.ts'

class OutOfStock extends Problem<{ left: number }> {
  static override readonly type = 'https://shop.example/problems/out-of-stock'
  static override readonly title = 'Out of stock'
  static override readonly status = 409
}

class Closed extends Problem {
  static override readonly status = 410
}

function shop(): Server {
  const server = new Server({ environment: 'production', throwables: createThrowables() })
  server.router.post(
    '/orders',
    () => {
      throw new OutOfStock('Only 2 <b> are left.', { left: 2 }, { headers: { 'X-Left': '2' } })
    },
    { problems: [OutOfStock, Closed] },
  )
  server.router.get('/closed', () => {
    throw new Closed('We are closed.')
  })
  return server
}

for (const accept of ['application/json', 'application/problem+json']) {
  test(`a problem is its document for a client that accepts ${accept}`, async () => {
    const headers = { accept, 'x-request-id': 'r1' }
    const answer = await shop().inject({ method: 'POST', url: '/orders', headers })
    assert.equal(answer.status, 409)
    assert.equal(answer.headers['content-type'], 'application/problem+json')
    assert.equal(answer.headers['x-left'], '2')
    assert.deepEqual(answer.json(), {
      type: 'https://shop.example/problems/out-of-stock',
      title: 'Out of stock',
      status: 409,
      detail: 'Only 2 <b> are left.',
      instance: '/orders',
      request: 'r1',
      left: 2,
    })
  })
}

test('without a type and a title of its own, a problem is that of its status', async () => {
  const headers = { accept: 'application/json', 'x-request-id': 'r1' }
  assert.deepEqual((await shop().inject({ url: '/closed', headers })).json(), {
    type: 'about:blank',
    title: 'Gone',
    status: 410,
    detail: 'We are closed.',
    instance: '/closed',
    request: 'r1',
  })
})

test('a browser gets the page of the status with the text', async () => {
  const answer = await shop().inject({ method: 'POST', url: '/orders' })
  assert.equal(answer.status, 409)
  assert.match(answer.text, /<h1>409<\/h1>.*Only 2 &lt;b&gt; are left\./)
})

test('members never replace those of the standard', async () => {
  class Sly extends Problem<{ status: number; detail: string }> {}
  const server = new Server({ environment: 'production' })
  server.router.get('/', () => {
    throw new Sly('Honest.', { status: 200, detail: 'Lie.' })
  })
  const headers = { accept: 'application/json', 'x-request-id': 'r1' }
  assert.deepEqual((await server.inject({ url: '/', headers })).json(), {
    type: 'about:blank',
    title: 'Bad Request',
    status: 400,
    detail: 'Honest.',
    instance: '/',
    request: 'r1',
  })
})

test('a route remembers the problems it lists, and takes nothing else for one', () => {
  const { router } = shop()
  assert.deepEqual(router.all()[0]?.problems, [OutOfStock, Closed])
  const other: unknown = HttpError
  const list: never[] = []
  Reflect.apply(list.push, list, [other])
  assert.throws(() => router.get('/x', () => '', { problems: list }), /not a subclass of Problem/)
})

test('errors: json makes every error below a prefix a problem document, whatever is accepted', async () => {
  const server = new Server({ environment: 'production', throwables: createThrowables() })
  server.router.get('/page', () => {
    throw new HttpError(403)
  })
  server.router.group(
    '/api',
    (api) => {
      api.get('/broken', () => {
        throw new Error('the password is hunter2')
      })
      api.get('/forbidden', () => {
        throw new HttpError(403)
      })
      api.group('/inner', (inner) => inner.get('/', () => Promise.reject(new HttpError(402))))
    },
    { errors: 'json' },
  )
  for (const accept of ['text/html', '*/*', 'application/json']) {
    const headers = { accept, 'x-request-id': 'r1' }
    const answers = []
    for (const url of ['/api/broken', '/api/forbidden', '/api/inner', '/api/none', '/api']) {
      const { status, headers: sent, text } = await server.inject({ url, headers })
      assert.equal(sent['content-type'], 'application/problem+json', url)
      assert.doesNotMatch(text, /hunter2/)
      answers.push(status)
    }
    assert.deepEqual(answers, [500, 403, 402, 404, 404])
    const allowed = await server.inject({ method: 'POST', url: '/api/broken', headers })
    assert.equal(allowed.status, 405)
    assert.equal(allowed.headers['content-type'], 'application/problem+json')
  }
  for (const url of ['/page', '/apiary']) {
    const { headers } = await server.inject({ url, headers: { accept: 'text/html' } })
    assert.match(headers['content-type'] ?? '', /^text\/html/, url)
  }
})

test('a single route may say so, too', async () => {
  const server = new Server({ environment: 'production' })
  server.router.get('/', () => Promise.reject(new HttpError(418)), { errors: 'json' })
  const { status, headers } = await server.inject({ url: '/' })
  assert.deepEqual([status, headers['content-type']], [418, 'application/problem+json'])
})
