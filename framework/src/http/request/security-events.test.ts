import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SecurityEvents } from './security-events.ts'
import { Emitter } from '../../events/emitter.ts'
import { Server } from '../server/server.ts'
import { HttpError } from '../errors/http-error.ts'

test('a 403 or 429 that a handler throws is a security event, any other error is none', async () => {
  const emitter = new Emitter()
  const heard: unknown[] = []
  for (const event of Object.values(SecurityEvents)) {
    emitter.listen(event, ({ route, user }) => heard.push([event.name, route, user]))
  }
  const server = new Server({ environment: 'test', emitter })
  server.router.get('/:status', async (request) => {
    request.identity = { id: '7' }
    throw new HttpError(Number(request.params.status))
  })
  server.router.get('/now/429', () => {
    throw new HttpError(429)
  })
  for (const url of ['/403', '/404', '/429', '/500', '/now/429']) await server.inject({ url })
  assert.deepEqual(heard, [
    ['security.forbidden', 'GET /:status', '7'],
    ['security.limit', 'GET /:status', '7'],
    ['security.limit', 'GET /now/429', null],
  ])
})
