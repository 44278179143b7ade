import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import { Sessions } from '../../http/session/sessions.ts'
import { Server } from '../../http/server/server.ts'
import { MemorySessions } from '../../http/session/memory-sessions.ts'
import { Authentication } from './authentication.ts'
import { SessionGuard } from './session-guard.ts'
import type { SessionGuardOptions } from './session-guard.ts'

/** What a guarded route sees of somebody with this session; the status of one who is turned away. */
async function seen(session: object, options: SessionGuardOptions = {}): Promise<unknown> {
  const server = new Server({ environment: Environments.Test, reporter: null })
  server.use(new Sessions(new MemorySessions()))
  server.router.get('/sign-in', (request) => {
    for (const [key, value] of Object.entries(session)) request.session.set(key, value)
  })
  server.router.get('/', ({ identity }, response) => response.json(identity), {
    middlewares: [new Authentication(new SessionGuard(options))],
  })
  const [line = ''] = (await server.inject({ url: '/sign-in' })).cookies
  const response = await server.inject({ url: '/', headers: { cookie: line.split(';')[0] ?? '' } })
  return response.status === 200 ? response.json() : response.status
}

test('an id in the session is somebody, as text', async () => {
  assert.deepEqual(await seen({ identity: '7' }), { id: '7' })
  assert.deepEqual(await seen({ identity: 7 }), { id: '7' })
})

test('an identity in the session is returned with its known fields only', async () => {
  const identity = { id: '7', email: 'ada@example.com', verified: true }
  assert.deepEqual(await seen({ identity: { ...identity, secret: 'x' } }), identity)
  assert.deepEqual(await seen({ identity: { id: '7', email: 1, verified: 'yes' } }), { id: '7' })
})

for (const identity of ['', null, true, {}, [], { id: null }, { id: '' }]) {
  test(`${JSON.stringify(identity)} in the session is not an identity`, async () => {
    assert.equal(await seen({ identity }), 401)
  })
}

test('a session without the key has no identity, whatever else it holds', async () => {
  assert.equal(await seen({ pending: { id: '7' }, device: 'a' }), 401)
})

test('the key is a matter of the project', async () => {
  assert.deepEqual(await seen({ member: '7' }, { key: 'member' }), { id: '7' })
  assert.equal(await seen({ identity: '7' }, { key: 'member' }), 401)
})

test('the route gets the loaded account; without one the visitor is a guest', async () => {
  const load = async (id: string): Promise<{ id: string; email: string } | null> =>
    id === '7' ? { id, email: 'ada@example.com' } : null
  assert.deepEqual(await seen({ identity: '7' }, { load }), { id: '7', email: 'ada@example.com' })
  assert.equal(await seen({ identity: '8' }, { load }), 401)
})
