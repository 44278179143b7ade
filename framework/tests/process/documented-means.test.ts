import assert from 'node:assert/strict'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Exchange } from '../../src/http/server/engine/engine.ts'
import { completeLimits } from '../../src/http/server/engine/limits.ts'
import type { Limits } from '../../src/http/server/engine/limits.ts'
import type { MissingFields } from '../../src/http/server/engine/missing-fields.ts'
import { NodeEngine } from '../../src/http/server/engine/node-engine.ts'
import { longLimits } from '../support/long-timeouts.ts'
import { RawClient, exchange } from '../support/raw-client.ts'
import { startServer } from '../support/start-server.ts'
import { waitFor } from '../support/wait-for.ts'

// Simulates a Node without the undocumented fields that the engine uses. The bytes on the wire are the
// same, except for a `Connection: keep-alive` that HTTP/1.1 does not need.

const complete: MissingFields = { quickResponse: null, dueResponse: null, sentBytes: null }
const planted: MissingFields = {
  quickResponse: '_header',
  dueResponse: '_httpMessage',
  sentBytes: '_handle',
}

const own = ['X-Own', '1', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Date', 'never']

const large = 'x'.repeat(64 * 1024 * 1024)

/** Targets of responses whose client disconnected before the end. */
const cut = new Set<string>()

function receive(exchange: Exchange): void {
  const { target } = exchange
  exchange.onGone(() => cut.add(target))
  if (target === '/text') exchange.respond(200, own, 'grüße 🙂')
  else if (target === '/bytes') exchange.respond(201, own, Buffer.from([1, 2, 255]))
  else if (target === '/nothing') exchange.respond(200, ['Content-Length', '7'], null)
  else if (target === '/empty') exchange.respond(200, [], '')
  else if (target === '/204') exchange.respond(204, own, 'left out')
  else if (target === '/304') exchange.respond(304, own, null)
  else if (target === '/stream') void exchange.stream(200, own, Readable.from(['ab', 'c']))
  else if (target === '/large') exchange.respond(200, [], large)
  else if (target === '/later') void turn().then(() => exchange.respond(200, own, 'later'))
  else exchange.respond(404, [], 'no such thing')
}

async function listen(
  t: TestContext,
  missing: MissingFields,
  limits: Partial<Limits> = {},
): Promise<number> {
  const complete = completeLimits({ ...longLimits, ...limits })
  const engine = new NodeEngine({ limits: complete, tls: null, receive }, missing)
  t.after(() => engine.close(0))
  const { port } = await engine.listen({ host: '127.0.0.1', port: 0 })
  return port
}

/** Removes what may differ: the date, and the redundant Connection header. */
function comparable(received: string): string {
  return received
    .replaceAll(/^Date: .*\r\n/gm, 'Date\r\n')
    .replaceAll('Connection: keep-alive\r\n', '')
}

const host = 'Host: localhost\r\n'
const close = `${host}Connection: close\r\n`
const targets = [
  '/text',
  '/bytes',
  '/nothing',
  '/empty',
  '/204',
  '/304',
  '/stream',
  '/later',
  '/no',
]

const conversations: Readonly<Record<string, string>> = {
  'one after another':
    targets.map((at) => `GET ${at} HTTP/1.1\r\n${host}\r\n`).join('') + last('/text'),
  HEAD: targets.map((at) => `HEAD ${at} HTTP/1.1\r\n${host}\r\n`).join('') + last('/text', 'HEAD'),
  'HTTP/1.0': `GET /text HTTP/1.0\r\n\r\n`,
  'a host that is missing': 'GET /text HTTP/1.1\r\n\r\n',
  'another version': `GET /text HTTP/3.0\r\n${host}\r\n`,
  'a target that is too long': `GET /${'x'.repeat(9_000)} HTTP/1.1\r\n${host}\r\n`,
  'nonsense behind a request that takes a moment': `GET /later HTTP/1.1\r\n${host}\r\nnonsense\r\n\r\n`,
  'a request behind the last one': last('/text') + last('/text'),
}

function last(target: string, method = 'GET'): string {
  return `${method} ${target} HTTP/1.1\r\n${close}\r\n`
}

test('without undocumented fields every response has the same bytes', async (t) => {
  const [quick, documented] = [await listen(t, complete), await listen(t, planted)]
  for (const [name, bytes] of Object.entries(conversations)) {
    const expected = comparable(await exchange(quick, bytes))
    assert.match(expected, /^HTTP\/1\.1 \d/, name)
    assert.equal(comparable(await exchange(documented, bytes)), expected, name)
  }
})

test('without undocumented fields HTTP/1.0 keeps its connection on request', async (t) => {
  const port = await listen(t, planted)
  const client = await RawClient.connect(port)
  await client.send('GET /no HTTP/1.0\r\nConnection: keep-alive\r\n\r\n').until('no such thing')
  assert.match(client.received, /\r\nConnection: keep-alive\r\n/)
  client.send('GET /no HTTP/1.0\r\n\r\n')
  assert.match(await client.ended(), /no such thing$/)
})

test('without undocumented fields the last request of a connection gets Connection: close', async (t) => {
  const port = await listen(t, planted, { requestsPerSocket: 2 })
  const client = await RawClient.connect(port)
  client.send(`GET /no HTTP/1.1\r\n${host}\r\n`)
  await client.until('no such thing')
  await client.send(`GET /text HTTP/1.1\r\n${host}\r\n`).until('Connection: close\r\n')
  client.leave()
})

test('without undocumented fields idle connections are closed, and busy ones are not', async (t) => {
  const port = await listen(t, planted, { keepAliveTimeout: 0.2 })
  const client = await RawClient.connect(port)
  assert.match(await client.send(`GET /later HTTP/1.1\r\n${host}\r\n`).ended(), /later$/)
})

test('without undocumented fields a client that does not read its response is disconnected', async (t) => {
  const port = await listen(t, planted, { sendTimeout: 0.3 })
  const client = (await RawClient.connect(port)).send(`GET /large HTTP/1.1\r\n${host}\r\n`)
  client.socket.pause()
  await waitFor('the cut', () => cut.has('/large'))
  client.socket.resume()
  assert.ok((await client.ended()).length < large.length)
})

test('a fleet on a Node without such a field still works, and warns once', async (t) => {
  const { NODE_OPTIONS = '' } = process.env
  const lacking = `--import=${import.meta.resolve('../support/lacking-node.ts')}`
  process.env['NODE_OPTIONS'] = `${NODE_OPTIONS} ${lacking}`
  t.after(() => (process.env['NODE_OPTIONS'] = NODE_OPTIONS))
  const script = join(import.meta.dirname, '../support/fleet-server.ts')
  const { port, lines } = await startServer(t, script, { server: { workers: 2 } })
  assert.match(await exchange(port, last('/pid')), /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n\d+$/)
  const warnings = lines.filter((line) => 'cost' in line)
  assert.deepEqual(
    warnings.map(({ field }) => field),
    ['maxRequestsOnConnectionReached'],
  )
  assert.match(String(warnings[0]?.['cost']), /writeHead/)
})
