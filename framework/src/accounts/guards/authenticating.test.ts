import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import { middlewareName } from '../../http/router/middleware.ts'
import { Server } from '../../http/server/server.ts'
import { Authenticating, challengeHeader } from './authenticating.ts'
import { Authentication } from './authentication.ts'
import type { Guard } from './guard.ts'

/** A guard that notes when it is asked, and has a last word on the response then. */
function guard(name: string, passes: boolean | Promise<boolean>, calls: string[]): Guard {
  return {
    authenticate(request) {
      calls.push(name)
      request.beforeHead(() => calls.push(`head ${name}`))
      if (passes === true) request.identity = { id: name }
      return passes
    },
  }
}

async function ask(of: Guard): Promise<{ readonly status: number; readonly text: string }> {
  const server = new Server({ environment: Environments.Test, reporter: null })
  server.router.get('/', ({ identity }) => identity?.id ?? 'nobody', {
    middlewares: [new Authentication(of)],
  })
  return server.inject({ url: '/' })
}

test('guards are asked in order, the next only after a miss', async () => {
  const calls: string[] = []
  const guards = [guard('a', false, calls), guard('b', true, calls), guard('c', true, calls)]
  const { status, text } = await ask(new Authenticating(...guards))
  assert.deepEqual([status, text], [200, 'b'])
  assert.deepEqual(calls, ['a', 'b', 'head a', 'head b'])
})

test('when all have missed the request is turned away', async () => {
  const calls: string[] = []
  const all = new Authenticating(
    guard('a', false, calls),
    guard('b', Promise.resolve(false), calls),
  )
  assert.equal((await ask(all)).status, 401)
  assert.deepEqual(calls, ['a', 'b', 'head a', 'head b'])
})

test('a guard that fails lets nobody pass', async () => {
  const broken: Guard = { authenticate: () => Promise.reject(new Error('planted')) }
  const calls: string[] = []
  const { status } = await ask(new Authenticating(broken, guard('b', true, calls)))
  assert.equal(status, 500)
  assert.deepEqual(calls, [])
})

test('a guard that only puts off its decision is not taken for a guest', async () => {
  const later: Guard = { authenticate: () => false, defers: () => true }
  assert.equal((await ask(new Authenticating(guard('a', false, []), later))).status, 425)
  assert.equal((await ask(new Authenticating(later, guard('b', true, [])))).text, 'b')
})

test('every guard gets the middlewares around its route before the first request', async () => {
  const seen: string[][] = []
  const join: Guard['join'] = (outer) => seen.push(outer.map(middlewareName))
  const guards = new Authenticating(
    { authenticate: () => true, join },
    { authenticate: () => true, join },
  )
  const server = new Server({ environment: Environments.Test, reporter: null })
  server.use(function outermost(_request, _response, next) {
    return next()
  })
  server.router.get('/', () => 'in', { middlewares: [new Authentication(guards)] })
  server.router.get('/open', () => 'open')
  await server.inject({ url: '/open' })
  assert.deepEqual(seen, [['outermost'], ['outermost']])
})

test('one guard is enough, and may be synchronous', async () => {
  assert.deepEqual((await ask(guard('a', true, []))).text, 'a')
  assert.deepEqual((await ask(guard('a', false, []))).status, 401)
})

test('without a guard there is nothing to ask', () => {
  assert.throws(() => new Authenticating(), { code: 'E_INVALID_ARGUMENT' })
})

test('the realm is that of the first guard that has one, and must fit into a header', () => {
  const calls: string[] = []
  const plain = guard('a', false, calls)
  assert.equal(new Authenticating(plain).realm, undefined)
  assert.equal(new Authenticating(plain, { ...plain, realm: 'Back room' }).realm, 'Back room')
  assert.throws(() => new Authentication({ ...plain, realm: 'a\r\nb' }), { code: 'E_HEADER' })
})

const stranger = (parts: Pick<Guard, 'scheme' | 'realm'> = {}): Guard => ({
  authenticate: () => false,
  ...parts,
})

test('a 401 names the scheme and realm of the guard that refused', async () => {
  const server = new Server({ environment: Environments.Test, reporter: null })
  const route = (path: string, of: Guard): unknown =>
    server.router.get(path, () => 'in', { middlewares: [new Authentication(of)] })
  route('/session', stranger())
  route('/api', stranger({ scheme: 'Bearer', realm: 'api "v1"' }))
  const challenge = async (url: string): Promise<string | undefined> =>
    (await server.inject({ url })).headers['www-authenticate']
  assert.equal(await challenge('/session'), 'Cookie realm="Protected area"')
  assert.equal(await challenge('/api'), String.raw`Bearer realm="api \"v1\""`)
})

test('guards that are tried one after the other are all named, each scheme once', () => {
  const inner = new Authenticating(stranger({ scheme: 'Bearer' }), stranger({ realm: 'Back room' }))
  const all = new Authenticating(stranger(), inner, stranger({ realm: 'Attic', scheme: 'Bearer' }))
  assert.equal(challengeHeader(all), 'Cookie realm="Back room", Bearer realm="Attic"')
})

test('a scheme or realm that does not fit into a header is refused at startup', () => {
  for (const parts of [{ scheme: '' }, { scheme: 'Be arer' }, { scheme: 'a,b' }, { realm: 'ä' }]) {
    assert.throws(() => new Authentication(stranger(parts)), { code: 'E_HEADER' })
  }
})
