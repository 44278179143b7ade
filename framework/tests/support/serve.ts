import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { Environments } from '../../src/settings/environments.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import { Emitter } from '../../src/events/emitter.ts'
import { RequestEvents } from '../../src/http/request/request-events.ts'
import type { ServerOptions } from '../../src/http/server/options.ts'
import { Server } from '../../src/http/server/server.ts'
import { longLimits } from './long-timeouts.ts'
import { rawAnswer } from './raw-answer.ts'
import { exchange } from './raw-client.ts'
import { waitFor } from './wait-for.ts'

/** A server in the test's own process that records what happens. */
export interface Served {
  readonly port: number
  readonly server: Server
  /** Reported errors. */
  readonly reported: readonly Error[]
  /** Targets of completed requests, in order. */
  readonly handled: readonly string[]
}

/** Serves what `declare` adds to the server on a free port until the test ends. */
export async function serve(
  t: TestContext,
  declare: (server: Server) => void,
  options: ServerOptions = {},
): Promise<Served> {
  const throwables = createThrowables()
  const emitter = new Emitter()
  const reported: Error[] = []
  const handled: string[] = []
  throwables.reporters.push((error) => reported.push(error))
  emitter.listen(RequestEvents.Handled, (request) => handled.push(request.URI))
  const server = new Server({
    environment: Environments.Production,
    emitter,
    throwables,
    reporter: null,
  })
  const limits = { ...longLimits, ...options.limits }
  server.configure({ port: 0, drainTimeout: 0, health: '/health', ...options, limits })
  declare(server)
  const { port } = await server.listen({ signals: false })
  t.after(() => server.close())
  return { port, server, reported, handled }
}

/** Asserts that the server still serves other clients. */
export async function assertHealthy(port: number): Promise<void> {
  const request = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  // If header timeouts are short, headers on a busy machine may be late.
  const status = await waitFor('an answer other than 408', async () => {
    const answer = rawAnswer(await exchange(port, request))
    return answer.status !== 408 && answer.status
  })
  assert.equal(status, 200)
}
