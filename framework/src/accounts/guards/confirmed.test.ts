import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemorySessions } from '../../http/session/memory-sessions.ts'
import { Sessions } from '../../http/session/sessions.ts'
import { Server } from '../../http/server/server.ts'
import { Authentication } from './authentication.ts'
import { Confirmed } from './confirmed.ts'
import type { Guard } from './guard.ts'

const now = 1_700_000_000

/** Asks as user 7, known by something else than the session, with a session in which somebody is signed in and has confirmed. */
async function statusWith(session: Readonly<Record<string, unknown>>): Promise<number> {
  const server = new Server({ reporter: null })
  server.use(new Sessions(new MemorySessions()))
  const other: Guard = {
    authenticate: (request) => {
      request.identity = { id: '7' }
      return true
    },
  }
  server.router.get('/plant', (request) => {
    for (const [key, value] of Object.entries(session)) request.session.set(key, value)
  })
  const confirmed = new Confirmed({ within: 900, clock: () => now })
  server.router.get('/secret', () => 'secret', {
    middlewares: [new Authentication(other), confirmed],
  })
  const { cookies } = await server.inject({ url: '/plant' })
  const cookie = cookies.map((line) => line.split(';')[0]).join('; ')
  const headers = { cookie, accept: 'application/json' }
  return (await server.inject({ url: '/secret', headers })).status
}

test('a confirmation counts for its user, in the session of that user, for its time', async () => {
  const confirmed = { id: '7', method: 'password', at: now - 900 }
  assert.equal(await statusWith({ identity: '7', confirmed }), 200)
  assert.equal(await statusWith({ identity: '7' }), 401)
  assert.equal(await statusWith({ identity: '7', confirmed: { ...confirmed, id: '8' } }), 401)
  assert.equal(await statusWith({ identity: '7', confirmed: { ...confirmed, at: now - 901 } }), 401)
  for (const identity of ['8', null]) assert.equal(await statusWith({ identity, confirmed }), 401)
})
