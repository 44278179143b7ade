import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import { SpanKinds } from '../../tracing/span.ts'
import { Server } from '../server/server.ts'
import { RequestDetails } from './request-details.ts'

interface Asked {
  readonly url: string
  readonly method?: string
  readonly host?: string
  readonly status?: number
  readonly kind?: SpanKinds
}

/** What follows ids and times in the span of a request; null if it is not kept. */
async function restOf({ url, method = 'GET', host = 'a.test', ...asked }: Asked): Promise<unknown> {
  const { status = 200, kind = SpanKinds.Server } = asked
  const seen: (Uint8Array | null)[] = []
  const server = new Server({ environment: Environments.Test })
  server.router.any('/plain', (request) => {
    seen.push(new RequestDetails(request, status).rest(kind))
  })
  server.router.any('/items/:id', (request) => {
    seen.push(new RequestDetails(request, status).rest(kind))
  })
  await server.inject({ url, method, headers: { host } })
  const [rest] = seen
  if (rest === undefined || rest === null) return rest
  return JSON.parse(`{"a":1${Buffer.from(rest).toString()}`)
}

test('what is kept of a request is not mixed up with others of the same path', async () => {
  const plain = await restOf({ url: '/plain' })
  for (const other of [
    { method: 'POST' },
    { host: 'b.test' },
    { status: 404 },
    { kind: SpanKinds.Internal },
  ]) {
    assert.notDeepEqual(await restOf({ url: '/plain', ...other }), plain, JSON.stringify(other))
    assert.deepEqual(await restOf({ url: '/plain' }), plain)
  }
})

test('nothing is kept of a request with parameters: each has another path', async () => {
  assert.equal(await restOf({ url: '/items/5' }), null)
})
