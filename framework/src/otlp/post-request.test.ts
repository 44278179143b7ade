import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { receiverAt } from './receiver.ts'
import { Compressions } from './compressions.ts'
import { createShipRequest, postRequest } from './post-request.ts'

const receiver = receiverAt('http://host', { 'x-key': 'k' })

test('the body is plain JSON by default', async () => {
  const { headers, body } = await createShipRequest(receiver, '{"ü":1}', Compressions.None)
  assert.equal(body.toString(), '{"ü":1}')
  assert.deepEqual(headers, [
    ['x-key', 'k'],
    ['content-type', 'application/json'],
  ])
})

test('a compressed request names its encoding', async () => {
  const { headers, body } = await createShipRequest(receiver, '{"ü":1}', Compressions.Gzip)
  assert.equal(gunzipSync(body).toString(), '{"ü":1}')
  assert.deepEqual(headers, [
    ['x-key', 'k'],
    ['content-type', 'application/json'],
    ['content-encoding', 'gzip'],
  ])
})

test('only the start of an endless response is read', async () => {
  let chunks = 0
  const endless = new ReadableStream({
    pull(controller) {
      chunks += 1
      controller.enqueue(new Uint8Array(16_384).fill(0x61))
    },
  })
  const request = await createShipRequest(receiver, '{}', Compressions.None)
  const answer = await postRequest(request, 0, async () => new Response(endless))
  assert.ok('text' in answer)
  assert.equal(answer.text.length, 65_536)
  assert.ok(chunks < 10)
})

test('an interrupted response keeps its status', async () => {
  const broken = new ReadableStream({
    start: (controller) => controller.error(new Error('socket hang up')),
  })
  const request = await createShipRequest(receiver, '{}', Compressions.None)
  const answer = await postRequest(request, 0, async () => new Response(broken, { status: 202 }))
  assert.deepEqual(answer, { status: 202, retryAfter: null, type: '', text: '' })
})

test('of several failed addresses the first error is reported', async () => {
  const request = await createShipRequest(receiver, '{}', Compressions.None)
  const cause = new AggregateError([new Error('connect ECONNREFUSED ::1'), new Error('other')])
  const noResponse = await postRequest(request, 0, async () => {
    throw new TypeError('fetch failed', { cause })
  })
  assert.deepEqual(noResponse, { reason: 'connect ECONNREFUSED ::1' })
})

test('any thrown value is reported', async () => {
  const request = await createShipRequest(receiver, '{}', Compressions.None)
  const cyclic = new Error('round')
  cyclic.cause = cyclic
  for (const [thrown, reason] of [
    [cyclic, 'round'],
    [new AggregateError([]), 'AggregateError'],
    ['a text', 'thrown value is not an Error: a text'],
  ] as const) {
    const noResponse = await postRequest(request, 0, () => Promise.reject(thrown))
    assert.deepEqual(noResponse, { reason })
  }
})
