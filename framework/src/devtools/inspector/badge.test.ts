import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { plantProject } from '../../../tests/support/plant-project.ts'
import { connect } from '../../database/connect.ts'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import { Emitter } from '../../events/emitter.ts'
import { Compression } from '../../http/middlewares/compression.ts'
import { Csrf } from '../../http/middlewares/csrf.ts'
import { Forms } from '../../http/middlewares/forms.ts'
import { SecureHeaders } from '../../http/middlewares/secure-headers.ts'
import { middlewareName } from '../../http/router/middleware.ts'
import type { Middleware, MiddlewareObject } from '../../http/router/middleware.ts'
import { orderChain } from '../../http/router/order-chain.ts'
import { LiveReload } from '../../http/watch/live-reload.ts'
import type { InjectedResponse } from '../../http/server/inject.ts'
import { Server } from '../../http/server/server.ts'
import { Channel } from '../../logs/channel.ts'
import { Badge } from './badge.ts'
import { recordRequests } from './record-requests.ts'
import { Recorder, recordedLines } from './recorder.ts'
import { RequestPhases } from './request-phases.ts'

const page = '<!doctype html><html lang="en"><body><h1>Shop</h1></body></html>'

type Get = (url: string, more?: { method?: string; peer?: string }) => Promise<InjectedResponse>

/** A server whose requests are recorded, and whose pages have the badge. */
async function site(t: TestContext, threshold = 1_000_000, remote = false): Promise<Get> {
  const root = plantProject(t, {
    'orders.mjs': `export async function orders(database, times) {
      for (let id = 1; id <= times; id += 1) {
        await database.rows({ sql: 'SELECT ? AS id', parameters: [id] })
      }
    }`,
  })
  const { orders } = await import(join(root, 'orders.mjs'))
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const [emitter, throwables] = [new Emitter(), createThrowables()]
  const server = new Server({ environment: 'development', emitter, throwables, reporter: null })
  server.use(new SecureHeaders(), new Compression({ threshold }), new Badge(remote))
  const log = new Channel('shop', { sinks: [recordedLines] })
  const { router } = server
  router.get('/orders/:times<int>', async ({ params }, response) => {
    await orders(database, params.times)
    return response.html(page)
  })
  router.get('/logged', (_request, response) => {
    log.error('out of stock')
    return response.html(page)
  })
  router.get('/boom', async () => {
    await orders(database, 25)
    throw new Error('boom')
  })
  router.get('/part', (_request, response) => response.html('<p>part</p>'))
  router.get('/json', () => ({ text: page }))
  router.get('/text', () => page)
  router.get('/metrics', (_request, response) => response.html(page))
  const recorder = new Recorder(() => {}, 4)
  t.after(recorder.start())
  t.after(throwables.add(recorder.report))
  t.after(recordRequests(recorder, emitter, new RequestPhases()))
  return (url, { method = 'GET', peer = '127.0.0.1' } = {}) =>
    server.inject({
      url,
      method,
      address: peer,
      headers: { accept: 'text/html', 'accept-encoding': 'br' },
    })
}

/** What the badge says; null if the page has none. */
function badgeOf({ text }: InjectedResponse): string | null {
  return /<aside data-dev-badge.*<a [^>]*>([^<]*)<\/a>/s.exec(text)?.[1] ?? null
}

test('a page says how long it took and how many queries it sent, and links to its record', async (t) => {
  const get = await site(t)
  const answer = await get('/orders/1')
  assert.match(badgeOf(answer) ?? '', /^[\d.]+ m?s · 1 query$/)
  const id = /href="\/inspect\/request\/([^"]+)"/.exec(answer.text)?.[1]
  assert.match(id ?? '', /^[\w-]+$/)
  assert.ok(!answer.text.includes('class="wrong"'))
  assert.match(answer.text, /<\/aside>\n<\/body><\/html>$/)
})

test('N+1, logged errors and what was thrown are marked', async (t) => {
  const get = await site(t)
  for (const [url, wrong] of [
    ['/orders/4', / · 4 queries · N\+1$/],
    ['/logged', / · 0 queries · 1 error$/],
    ['/boom', / · 25 queries · N\+1 · 1 error$/],
  ] as const) {
    const answer = await get(url)
    assert.match(badgeOf(answer) ?? '', wrong, url)
    assert.ok(answer.text.includes('class="wrong"'), url)
  }
  assert.match(badgeOf(await get('/nowhere.html')) ?? '', /^[\d.]+ m?s · 0 queries$/)
})

test('the style has the nonce that the policy of the page allows', async (t) => {
  const get = await site(t)
  for (const url of ['/orders/1', '/boom']) {
    const { text, headers } = await get(url)
    const nonce = /<template shadowrootmode="open"><style nonce="([^"]+)">/.exec(text)?.[1]
    const policy = headers['content-security-policy'] ?? ''
    assert.match(policy, new RegExp(`style-src [^;]*'nonce-${nonce}'`), url)
  }
})

test('parts of pages, other formats, pages of tools and other machines have none', async (t) => {
  const get = await site(t)
  for (const url of ['/part', '/json', '/text', '/metrics']) {
    const { text, status } = await get(url)
    assert.equal(status, 200)
    assert.ok(!text.includes('data-dev-badge'), url)
  }
  assert.equal(badgeOf(await get('/orders/1', { peer: '192.0.2.7' })), null)
  const remote = await site(t, 1_000_000, true)
  assert.notEqual(badgeOf(await remote('/orders/1', { peer: '192.0.2.7' })), null)
})

test('it is compressed with its page, and a HEAD request has no body', async (t) => {
  const get = await site(t, 0)
  const answer = await get('/orders/1')
  assert.equal(answer.headers['content-encoding'], 'br')
  assert.ok(brotliDecompressSync(answer.bytes).includes('data-dev-badge'))
  const head = await get('/orders/1', { method: 'HEAD' })
  assert.deepEqual([head.status, head.bytes.length], [200, 0])
})

test('with it, and while files are watched, a form passes the phases in the order of production', () => {
  const guard: MiddlewareObject = { phase: 'guard', process: (_request, _response, next) => next() }
  const form = { method: 'POST', isRouted: true }
  const others = [new Csrf(), new Forms(), guard]
  const chain = orderChain([new Compression(), ...others], form)
  const tools = [new Badge(false), new LiveReload()]
  const developed = orderChain([new Compression(), ...others.slice(0, 2), ...tools, guard], form)
  const labels = (all: readonly Middleware[]): string[] => all.map(middlewareName)
  assert.deepEqual(
    labels(developed).filter((one) => !/Badge|LiveReload/.test(one)),
    labels(chain),
  )
})

test('the debug page lists the queries, equal ones of a line once', async (t) => {
  const get = await site(t)
  const { text } = await get('/boom')
  assert.match(text, /<summary>25 queries in [\d.]+ ms<\/summary><table class="pairs">/)
  assert.match(text, /<th scope="row">1 SELECT ×25, [\d.]+\u00A0ms<\/th>/)
  assert.match(text, /<td>SELECT \? AS id\nat .*orders\.mjs:3<\/td>/)
})
