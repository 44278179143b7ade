import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryRateLimits } from '../rate-limits/memory-rate-limits.ts'
import type { ServerHost } from '../server/server-host.ts'
import { Server } from '../server/server.ts'
import type { MiddlewareObject } from './middleware.ts'

/** A middleware that keeps the servers it was shown. */
class Shown implements MiddlewareObject {
  readonly servers: ServerHost[] = []
  process: MiddlewareObject['process'] = (_request, _response, next) => next()

  attach(server: ServerHost): void {
    this.servers.push(server)
  }
}

test('each middleware, of the server or of routes, is shown its server once before the first request', async () => {
  const [shared, routed] = [new Shown(), new Shown()]
  const store = new MemoryRateLimits()
  const server = new Server({ environment: 'staging' })
    .configure({ url: 'https://shop.example', workers: 3 })
    .rateLimits(store)
    .use(shared)
  server.router.any('/', () => 'in', { middlewares: [routed, shared] })
  assert.equal(shared.servers.length, 0)
  await server.inject({ url: '/' })
  await server.inject({ url: '/' })
  for (const { servers } of [shared, routed]) {
    assert.equal(servers.length, 1)
    const { environment, url, workers, rateLimits } = servers[0] ?? {}
    assert.deepEqual([environment, url, workers], ['staging', 'https://shop.example', 3])
    assert.equal(rateLimits, store)
  }
})

test('an error in attach stops the server from starting', async () => {
  const refusing: MiddlewareObject = {
    process: (_request, _response, next) => next(),
    attach: () => {
      throw new Error('not on this server')
    },
  }
  const server = new Server({ environment: 'test' }).configure({ port: 0 }).use(refusing)
  await assert.rejects(server.listen({ signals: false }), { message: 'not on this server' })
})
