import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Server } from '../http/server/server.ts'
import { declareOpenApi } from '../openapi/open-api-routes.ts'
import { inspectorRoutes } from './inspector/inspector.ts'
import { ObservabilityRoutes } from './observability/observability.ts'
import { isToolPath, toolFrame } from './tools.ts'

/** The links at the top of a page, in their order. */
function linksIn(page: string): string[] {
  const [house = ''] = /<nav class="house"[\s\S]*?<\/nav>/.exec(page) ?? []
  return Array.from(house.matchAll(/<a href="([^"]+)"/g), ([, path = '']) => path)
}

function serve(t: TestContext): Server {
  const root = mkdtempSync(join(tmpdir(), 'framework-tools-'))
  const server = new Server({ environment: 'production', reporter: null })
  t.after(async () => {
    await server.close()
    rmSync(root, { recursive: true, force: true })
  })
  // A page of the project that only has the path of a tool.
  server.router.get('/mails', (request, response) =>
    response.html(toolFrame(server.router, request, response).tools),
  )
  server.mount([inspectorRoutes({ root }), ObservabilityRoutes], {})
  declareOpenApi(server.router, { server, root, name: 'shop', remote: false })
  return server.configure({ observability: { folder: root } })
}

test('each tool links to those that the project has, and says which it is', async (t) => {
  const server = serve(t)
  const headers = { accept: 'text/html' }
  for (const url of ['/inspect', '/metrics', '/openapi']) {
    const { text } = await server.inject({ url, headers })
    assert.deepEqual(linksIn(text), ['/inspect', '/metrics', '/openapi', '/'], url)
    assert.deepEqual(text.match(/href="[^"]+" aria-current="page"/g), [
      `href="${url}" aria-current="page"`,
    ])
  }
})

test('nobody is led to a tool that they may not open', async (t) => {
  const server = serve(t)
  const other = { headers: { accept: 'text/html' }, address: '192.168.7.7' }
  assert.equal((await server.inject({ url: '/inspect', ...other })).status, 404)
  assert.deepEqual(linksIn((await server.inject({ url: '/metrics', ...other })).text), [
    '/metrics',
    '/',
  ])
  const stranger = await server.inject({ url: '/mails', address: '203.0.113.9' })
  assert.deepEqual(linksIn(stranger.text), ['/'])
})

test('a page below a tool is marked as part of it', async (t) => {
  const server = serve(t)
  server.router.get('/metrics/workers', (request, response) =>
    response.html(toolFrame(server.router, request, response).tools),
  )
  const { text } = await server.inject({ url: '/metrics/workers' })
  assert.match(text, /<a href="\/metrics" aria-current="true">/)
})

test('only whole segments of a path make it one of a tool', () => {
  assert.deepEqual(['/queue', '/queue/mails', '/queues', '/', '/shop/queue'].map(isToolPath), [
    true,
    true,
    false,
    false,
    false,
  ])
})
