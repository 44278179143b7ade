import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InjectedResponse } from 'framework/http'
import { preparedDatabase, serveDemo } from './serve-demo.ts'

const app = await serveDemo()
after(() => app.close())

test('/health responds with ok', async () => {
  const { status, headers, text } = await app.inject({ url: '/health' })
  assert.deepEqual([status, text], [200, '{"status":"ok"}'])
  assert.equal(headers['cache-control'], 'no-store')
})

test('/metrics counts requests, as text and as JSON', async () => {
  await app.inject({ url: '/' })
  const { headers, text } = await app.inject({ url: '/metrics' })
  assert.match(headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/)
  assert.match(text, /^http_requests_total/m)
  const json = await app.inject({ url: '/metrics', headers: { accept: 'application/json' } })
  assert.match(json.text, /^\{"timestamp":/)
})

test('/metrics is a page for browsers, with a link home', async () => {
  const { status, headers, text } = await app.inject({
    url: '/metrics',
    headers: { accept: 'text/html' },
  })
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^text\/html/)
  assert.match(text, /<a href="\/">/)
})

test('in production strangers find no metrics, and no links to them', async (t) => {
  const DATABASE_URL = await preparedDatabase(t)
  const production = await serveDemo({ environment: 'production', env: { DATABASE_URL } })
  t.after(() => production.close())
  const ask = (url: string, address: string): Promise<InjectedResponse> =>
    production.inject({ url, address, headers: { accept: 'text/html' } })
  const link = /href="\/(?:metrics|ready)"/
  for (const address of ['127.0.0.1', '192.168.1.7']) {
    assert.equal((await ask('/metrics', address)).status, 200)
    assert.equal((await ask('/ready', address)).status, 200)
    assert.match((await ask('/', address)).text, link)
  }
  const stranger = '203.0.113.9'
  assert.equal((await ask('/metrics', stranger)).status, 404)
  assert.equal((await ask('/ready', stranger)).status, 404)
  for (const url of ['/', '/nowhere']) {
    const { text } = await ask(url, stranger)
    assert.match(text, /<nav /)
    assert.doesNotMatch(text, link)
  }
})
