import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import { Compression } from '../middlewares/compression.ts'
import { SecureHeaders } from '../middlewares/secure-headers.ts'
import { Server } from '../server/server.ts'
import { liveReloadMark, LiveReload } from './live-reload.ts'

const page = '<!doctype html><html><body><h1>Home</h1></body></html>'

interface Site {
  readonly server: Server
  readonly live: LiveReload
  /** Ends the streams, as a server does when it closes. */
  readonly drain: () => void
}

function site(): Site {
  const live = new LiveReload()
  const server = new Server({ environment: Environments.Development, reporter: null })
  server.use(new SecureHeaders(), new Compression({ threshold: 0 }), live)
  server.router.get('/', (_request, response) => response.html(page))
  server.router.get('/part', (_request, response) => response.html('<p>part</p>'))
  server.router.get('/json', () => ({ text: '</body>' }))
  server.router.get('/own', (_request, response) =>
    response.header('Content-Security-Policy', "default-src 'none'").html(page),
  )
  server.router.get('/boom', () => {
    throw new Error('boom')
  })
  const drain = (): void => void server.close()
  return { server, live, drain }
}

test('a page gets the script once, at its end, with the nonce that its policy allows', async () => {
  const { text, headers } = await site().server.inject({ url: '/' })
  assert.equal(text.split(liveReloadMark).length, 2)
  assert.match(text, /<\/script>\n<\/body><\/html>$/)
  const [, nonce = ''] = /<script nonce="([^"]+)"/.exec(text) ?? []
  assert.match(
    headers['content-security-policy'] ?? '',
    new RegExp(`script-src [^;]*'nonce-${nonce}'`),
  )
})

test('it is added before the page is compressed', async () => {
  const { brotliDecompressSync } = await import('node:zlib')
  const answer = await site().server.inject({ url: '/', headers: { 'accept-encoding': 'br' } })
  assert.equal(answer.headers['content-encoding'], 'br')
  assert.ok(brotliDecompressSync(answer.bytes).includes(liveReloadMark))
})

test('parts of pages, other formats and pages with a policy of their own stay as they are', async () => {
  for (const url of ['/part', '/json', '/own']) {
    assert.ok(!(await site().server.inject({ url })).text.includes(liveReloadMark), url)
  }
})

test('the debug page is reloaded too, for the moment when the error is fixed', async () => {
  const { status, text, headers } = await site().server.inject({
    url: '/boom',
    headers: { accept: 'text/html' },
  })
  assert.equal(status, 500)
  assert.ok(text.includes(liveReloadMark))
  assert.match(headers['content-security-policy'] ?? '', /; connect-src 'self'$/)
})

test('events tell of changes, styles apart, and end when the server drains', async () => {
  const { server, live, drain } = site()
  const [, atFirst = ''] =
    /let state = '([^']+)'/.exec((await server.inject({ url: '/' })).text) ?? []
  const events = server.inject({ url: '/live-reload' })
  live.changed(['public/style.css', 'public/deep/er.css'])
  live.changed(['public/style.css', 'views/home.template.html'])
  live.changed(['elsewhere/x.css'])
  drain()
  const { text, headers } = await events
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store, no-transform')
  const told = [...text.matchAll(/event: (\w+)\ndata: "(\S+)"\n\n/g)].map(([, kind, state]) => [
    kind,
    state,
  ])
  const run = atFirst.replace(/0$/, '')
  assert.deepEqual(told, [
    ['state', `${run}0`],
    ['styles', `${run}1`],
    ['state', `${run}2`],
    ['state', `${run}3`],
  ])
})

test('of too many pages the oldest are let go', async () => {
  const { server, drain } = site()
  const first = server.inject({ url: '/live-reload' })
  const others = Array.from({ length: 100 }, () => server.inject({ url: '/live-reload' }))
  assert.equal((await first).status, 200)
  drain()
  await Promise.all(others)
})

test('two processes have different states, so that a restart reloads every page', async () => {
  const [one, other] = await Promise.all(
    [site(), site()].map(async ({ server }) => (await server.inject({ url: '/' })).text),
  )
  const stateIn = (text = ''): string | undefined => /let state = '([^']+)'/.exec(text)?.[1]
  assert.ok(stateIn(one))
  assert.notEqual(stateIn(one), stateIn(other))
})
