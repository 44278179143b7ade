import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import { Server } from '../../http/server/server.ts'
import { Authentication } from './authentication.ts'
import { Confirmed } from './confirmed.ts'
import type { Guard } from './guard.ts'
import { Verified } from './verified.ts'

/** The identity that the header says. */
const header: Guard = {
  authenticate: (request) => {
    const state = request.header('x-state')
    if (state === null) return false
    request.identity = { id: '7', ...(state !== '' && { verified: state === 'verified' }) }
    return true
  },
}

function site(verified: Verified): Server {
  const server = new Server({ environment: Environments.Production, reporter: null })
  server.router.post('/keys', () => 'added', {
    middlewares: [new Authentication(header), verified],
  })
  return server
}

const post = async (server: Server, state: string) => {
  const headers = { 'x-state': state, accept: 'application/json' }
  const { status, text } = await server.inject({ method: 'POST', url: '/keys', headers })
  return { status, text }
}

test('who has verified the e-mail passes, anybody else is refused and told why', async () => {
  const server = site(new Verified())
  assert.deepEqual(await post(server, 'verified'), { status: 200, text: 'added' })
  for (const state of ['unverified', '']) {
    const { status, text } = await post(server, state)
    assert.equal(status, 403)
    assert.match(text, /Please verify your e-mail first\./)
  }
})

test('the project may respond to them itself', async () => {
  const server = site(new Verified({ fallback: (_request, response) => response.status(409) }))
  assert.equal((await post(server, 'verified')).status, 200)
  assert.equal((await post(server, 'unverified')).status, 409)
})

for (const [code, guard] of [
  ['E_VERIFIED', new Verified()],
  ['E_CONFIRMED', new Confirmed()],
] as const) {
  test(`without Authentication before it, the server does not start: ${code}`, async () => {
    const server = new Server({ environment: Environments.Production, reporter: null })
    server.router.post('/keys', () => 'added', { middlewares: [guard] })
    const start = async () => server.inject({ method: 'POST', url: '/keys' })
    await assert.rejects(start, { code })
  })
}
