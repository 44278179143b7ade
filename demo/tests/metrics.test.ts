import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProjectServer } from 'framework/testing'
import { serveDemo } from './serve-demo.ts'

let app: ProjectServer
before(async () => {
  app = await serveDemo()
})
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
