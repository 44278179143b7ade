import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import type { InjectedResponse } from '../server/inject.ts'
import { Server } from '../server/server.ts'
import { Cors } from './cors.ts'
import type { CorsOptions } from './cors.ts'

const friend = 'https://app.example'

function serverOf(options: CorsOptions): Server {
  const server = new Server({ environment: Environments.Test })
  server.use(new Cors(options))
  server.router.get('/', () => 'hi')
  server.router.post('/', () => 'posted')
  return server
}

function get(
  options: CorsOptions,
  headers: Record<string, string> = {},
  url = '/',
): Promise<InjectedResponse> {
  return serverOf(options).inject({ url, headers })
}

function preflight(
  options: CorsOptions,
  headers: Record<string, string>,
  url = '/',
): Promise<InjectedResponse> {
  const asked = { 'access-control-request-method': 'POST', ...headers }
  return serverOf(options).inject({ method: 'OPTIONS', url, headers: asked })
}

const corsHeaders = (answer: InjectedResponse) =>
  Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))

test('a listed origin may read the answer, which varies by origin', async () => {
  const answer = await get({ origins: [friend], expose: ['X-A', 'X-B'] }, { origin: friend })
  assert.equal(answer.text, 'hi')
  assert.equal(answer.headers['access-control-allow-origin'], friend)
  assert.equal(answer.headers['access-control-expose-headers'], 'X-A, X-B')
  assert.equal(answer.headers['access-control-allow-credentials'], undefined)
  assert.equal(answer.headers['vary'], 'Origin')
})

test('error answers can be read as well', async () => {
  const answer = await get({ origins: [friend] }, { origin: friend }, '/none')
  assert.equal(answer.status, 404)
  assert.equal(answer.headers['access-control-allow-origin'], friend)
})

for (const origin of [
  'https://evil.example',
  'https://app.example.evil.example',
  'http://app.example',
  'null',
  '',
]) {
  test(`origin "${origin}" gets its answer and no permission`, async () => {
    const answer = await get({ origins: [friend], credentials: true }, { origin })
    assert.equal(answer.text, 'hi')
    assert.deepEqual(corsHeaders(answer), [])
    assert.equal(answer.headers['vary'], 'Origin')
  })
}

test('a request without an origin gets no permission, but the answer varies', async () => {
  const answer = await get({ origins: [friend] })
  assert.deepEqual(corsHeaders(answer), [])
  assert.equal(answer.headers['vary'], 'Origin')
})

test('every origin is answered with a star that does not vary', async () => {
  const answer = await get({ origins: '*' }, { origin: 'https://any.example' })
  assert.equal(answer.headers['access-control-allow-origin'], '*')
  assert.equal(answer.headers['vary'], undefined)
})

test('a rule decides by the origin', async () => {
  const options = { origins: (origin: string) => origin.endsWith('.example') }
  const answer = await get({ ...options, credentials: true }, { origin: friend })
  assert.equal(answer.headers['access-control-allow-origin'], friend)
  assert.equal(answer.headers['access-control-allow-credentials'], 'true')
  assert.deepEqual(corsHeaders(await get(options, { origin: 'https://evil.test' })), [])
})

test('a preflight is answered with 204 and what is allowed', async () => {
  const options = {
    origins: [friend],
    methods: ['GET', 'POST'],
    headers: ['X-Token'],
    credentials: true,
    maxAge: 60,
  }
  const answer = await preflight(options, {
    origin: friend,
    'access-control-request-headers': 'x-other',
  })
  assert.equal(answer.status, 204)
  assert.equal(answer.headers['access-control-allow-origin'], friend)
  assert.equal(answer.headers['access-control-allow-methods'], 'GET, POST')
  assert.equal(answer.headers['access-control-allow-headers'], 'X-Token')
  assert.equal(answer.headers['access-control-allow-credentials'], 'true')
  assert.equal(answer.headers['access-control-max-age'], '60')
  assert.equal(answer.headers['vary'], 'Origin')
})

test('a preflight is answered for a path without any route, too', async () => {
  assert.equal((await preflight({ origins: [friend] }, { origin: friend }, '/none')).status, 204)
})

test('without a list the headers a preflight asks for are allowed', async () => {
  const asked = { origin: friend, 'access-control-request-headers': 'x-a, content-type' }
  const answer = await preflight({ origins: [friend] }, asked)
  assert.equal(answer.headers['access-control-allow-headers'], 'x-a, content-type')
})

test('the preflight of an origin that is not allowed goes on without permission', async () => {
  const answer = await preflight({ origins: [friend] }, { origin: 'https://evil.example' })
  assert.deepEqual(corsHeaders(answer), [])
  assert.match(answer.headers['allow'] ?? '', /POST/)
})

test('an OPTIONS request that is no preflight goes on', async () => {
  const answer = await serverOf({ origins: '*' }).inject({
    method: 'OPTIONS',
    url: '/',
    headers: { origin: friend },
  })
  assert.match(answer.headers['allow'] ?? '', /GET/)
  assert.equal(answer.headers['access-control-allow-methods'], undefined)
})

test('credentials with origins: "*" throw', () => {
  assert.throws(() => new Cors({ origins: '*', credentials: true }), { code: 'E_CORS' })
})

for (const origin of [
  '*',
  'null',
  'app.example',
  'https://app.example/',
  'https://app.example/path',
  'https://APP.example',
]) {
  test(`"${origin}" is not an origin and throws`, () => {
    assert.throws(() => new Cors({ origins: [origin] }), { code: 'E_CORS' })
  })
}
