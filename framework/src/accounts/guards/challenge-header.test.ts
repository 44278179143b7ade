import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import { Server } from '../../http/server/server.ts'
import { Authenticating } from './authenticating.ts'
import { Authentication } from './authentication.ts'
import { challengeHeader } from './challenge-header.ts'
import type { Guard } from './guard.ts'

const guard = (parts: Pick<Guard, 'scheme' | 'realm'> = {}): Guard => ({
  authenticate: () => false,
  ...parts,
})

test('a 401 names the scheme and realm of the guard that refused', async () => {
  const server = new Server({ environment: Environments.Test, reporter: null })
  const route = (path: string, of: Guard): unknown =>
    server.router.get(path, () => 'in', { middlewares: [new Authentication(of)] })
  route('/session', guard())
  route('/api', guard({ scheme: 'Bearer', realm: 'api "v1"' }))
  const challenge = async (url: string): Promise<string | undefined> =>
    (await server.inject({ url })).headers['www-authenticate']
  assert.equal(await challenge('/session'), 'Cookie realm="Protected area"')
  assert.equal(await challenge('/api'), String.raw`Bearer realm="api \"v1\""`)
})

test('guards that are tried one after the other are all named, each scheme once', () => {
  const inner = new Authenticating(guard({ scheme: 'Bearer' }), guard({ realm: 'Back room' }))
  const all = new Authenticating(guard(), inner, guard({ realm: 'Attic', scheme: 'Bearer' }))
  assert.equal(challengeHeader(all), 'Cookie realm="Back room", Bearer realm="Attic"')
})

test('a scheme or realm that does not fit into a header is refused at startup', () => {
  for (const parts of [{ scheme: '' }, { scheme: 'Be arer' }, { scheme: 'a,b' }, { realm: 'ä' }]) {
    assert.throws(() => new Authentication(guard(parts)), { code: 'E_HEADER' })
  }
})
