import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import type { InjectedResponse, InjectedRequest } from '../server/inject.ts'
import type { ServerOptions } from '../server/options.ts'
import { Server } from '../server/server.ts'
import type { Request } from './request.ts'

async function ask(
  read: (request: Request) => unknown,
  request: Omit<InjectedRequest, 'url'> & { url?: string },
  options: ServerOptions = {},
): Promise<InjectedResponse> {
  const app = new Server({ environment: 'production', throwables: createThrowables() }).configure(
    options,
  )
  app.router.any('/*any', read)
  return app.inject({ url: '/', ...request })
}

test('the URI is the whole target, the path is the part before the query', async () => {
  const answer = await ask(({ URI, path, method }) => ({ URI, path, method }), {
    url: '/a%20b?x=1',
  })
  assert.deepEqual(answer.json(), { URI: '/a%20b?x=1', path: '/a%20b', method: 'GET' })
})

test('of several query values the last counts, and all can be had', async () => {
  const answer = await ask((request) => [request.query, request.queryAll('a')], {
    url: '/?a=1&a=2&b=x%20y+z',
  })
  assert.deepEqual(answer.json(), [{ a: '2', b: 'x y z' }, ['1', '2']])
})

test('no query name reaches a prototype', async () => {
  const answer = await ask(
    ({ query }) => [query['constructor'] ?? null, query['__proto__'] ?? null],
    {
      url: '/?__proto__=1',
    },
  )
  assert.deepEqual(answer.json(), [null, '1'])
})

test('cookies are decoded, the first of one name counts', async () => {
  const answer = await ask(
    ({ cookies }) => [cookies.get('a'), cookies.get('b'), cookies.has('c')],
    {
      headers: { Cookie: 'a=1; b="x%20y"; a=2; broken; =x' },
    },
  )
  assert.deepEqual(answer.json(), ['1', 'x y', false])
})

test('a valid X-Request-Id is kept, anything else is replaced', async () => {
  const kept = await ask(({ id }) => id, { headers: { 'X-Request-Id': 'abc-123' } })
  assert.equal(kept.text, 'abc-123')
  for (const given of ['', 'a b', 'x'.repeat(129), '<script>']) {
    const answer = await ask(({ id }) => id, { headers: { 'X-Request-Id': given } })
    assert.match(answer.text, /^[\da-f-]{36}$/)
  }
})

test('a JSON body is parsed, and read once however often it is asked for', async () => {
  const answer = await ask(async (request) => [await request.json(), await request.json()], {
    method: 'POST',
    body: { a: [1] },
  })
  assert.deepEqual(answer.json(), [{ a: [1] }, { a: [1] }])
})

test('malformed JSON and malformed UTF-8 are a 400', async () => {
  assert.equal((await ask((request) => request.json(), { method: 'POST', body: '{' })).status, 400)
  assert.equal(
    (await ask((request) => request.text(), { method: 'POST', body: Buffer.from([0xff]) })).status,
    400,
  )
})

test('a __proto__ member of a JSON body is dropped', async () => {
  const answer = await ask(
    async (request) => {
      const value: unknown = await request.json()
      return Object.hasOwn(Object(value), '__proto__')
    },
    { method: 'POST', body: '{"__proto__":{"admin":true}}' },
  )
  assert.equal(answer.text, 'false')
})

test('a body above the limit is a 413, by its length and by what comes', async () => {
  const limits = { body: 10 }
  const large = { method: 'POST', body: 'x'.repeat(11) }
  assert.equal((await ask((request) => request.text(), large, { limits })).status, 413)
  const lying = { ...large, headers: { 'Content-Length': '5' } }
  assert.equal((await ask((request) => request.text(), lying, { limits })).status, 413)
})

test('a compressed request body is a 415', async () => {
  const answer = await ask((request) => request.text(), {
    method: 'POST',
    body: 'x',
    headers: { 'Content-Encoding': 'gzip' },
  })
  assert.equal(answer.status, 415)
})

test('fields asked for before the form was read say what to do', async () => {
  const throwables = createThrowables()
  const seen: unknown[] = []
  throwables.reporters.push((error) => seen.push(Reflect.get(error, 'code')))
  const app = new Server({ environment: 'production', throwables })
  app.router.post('/', (request) => request.fields['a'])
  await app.inject({ method: 'POST', url: '/', body: new URLSearchParams({ a: '1' }) })
  assert.deepEqual(seen, ['E_FIELDS_UNREAD'])
})

test('without a form the fields are empty', async () => {
  assert.equal((await ask((request) => Object.keys(request.fields).length, {})).text, '0')
})

test('scheme and host of a proxy are believed only when it is trusted', async () => {
  const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'shop.example' }
  const read = ({ secure, host }: Request): unknown => ({ secure, host })
  assert.deepEqual((await ask(read, { headers })).json(), { secure: false, host: 'localhost' })
  const trusted = await ask(read, { headers }, { trustedProxies: ['127.0.0.1'] })
  assert.deepEqual(trusted.json(), { secure: true, host: 'shop.example' })
})
