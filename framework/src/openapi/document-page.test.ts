import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { Server } from '../http/server/server.ts'
import { documentPage } from './document-page.ts'
import { addressOf, readable } from './in-page/request-parts.ts'
import { openApiDocument } from './open-api-document.ts'
import { declareOpenApi } from './open-api-routes.ts'
import { describedApi } from '../../tests/support/described-api.ts'

function serverWithPage(): Server {
  const server = new Server({ reporter: null })
  declareOpenApi(server.router, { server, root: '.', name: 'shop', remote: false })
  return server
}

test('the modules of the page are served, import only each other and write no markup', async () => {
  const server = serverWithPage()
  const page = await server.inject({ url: '/openapi' })
  assert.equal(page.status, 200)
  const [, entry = ''] = /<script type="module" src="([^"]+)"/.exec(page.text) ?? []
  const asked = new Set([entry])
  for (const url of asked) {
    const { status, headers, text } = await server.inject({ url })
    assert.equal(status, 200, url)
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.doesNotMatch(text, /\beval\b|innerHTML|insertAdjacentHTML|document\.write/, url)
    for (const [, from = ''] of text.matchAll(/^import .* from '(.*)'$/gm)) {
      asked.add(posix.join(posix.dirname(url), from))
    }
  }
  const sources = globSync('**/*.ts', { cwd: join(import.meta.dirname, 'in-page') })
  const urls = sources.map((file) => `/openapi/page/openapi/in-page/${file}`)
  assert.deepEqual([...asked].toSorted(), urls.toSorted())
})

test('only clients on this machine see the page and the document', async () => {
  const server = serverWithPage()
  for (const url of ['/openapi', '/openapi.json']) {
    assert.equal((await server.inject({ url })).status, 200, url)
    assert.equal((await server.inject({ url, address: '192.0.2.1' })).status, 404, url)
  }
})

test('the page may load its own style and module, and nothing else', async () => {
  const { headers, text } = await serverWithPage().inject({ url: '/openapi' })
  const policy = headers['content-security-policy'] ?? ''
  assert.match(
    policy,
    /^default-src 'none'; style-src 'nonce-.+'; script-src 'nonce-.+'; connect-src 'self'/,
  )
  assert.match(text, /No route is listed yet\./)
})

test('every kind of operation has its part of the page', async () => {
  const described = await openApiDocument(describedApi(), { title: 'Shop', version: '1' })
  const page = documentPage(described, { nonce: 'n', token: 't', hasInspector: true })
  assert.equal(page.match(/<details class="card operation"/g)?.length, 14)
  assert.match(
    page,
    /Needs an API token with <code>orders:write<\/code>, or a session and its CSRF token\./,
  )
  assert.match(
    page,
    /<b>children<\/b>: <a href="#schema-BodyOfPostApiZod">BodyOfPostApiZod<\/a>\[\]/,
  )
  assert.match(page, /<li>PURGE \/api\/things is not listed/)
  assert.match(page, /<input type="file" name="files" multiple>/)
})

test("a project's own routes win", async () => {
  const server = new Server({ reporter: null })
  server.router.get('/openapi', () => 'mine')
  declareOpenApi(server.router, { server, root: '.', name: 'shop', remote: false })
  assert.equal((await server.inject({ url: '/openapi' })).text, 'mine')
})

test('what is typed becomes an address', () => {
  const fields = [
    ['path:id', 'a b/c'],
    ['query:page', '2'],
    ['query:tag[]', 'x, y'],
    ['query:empty', ''],
    ['body', '{}'],
  ] as const
  assert.equal(addressOf('/notes/{id}', fields), '/notes/a%20b%2Fc?page=2&tag%5B%5D=x&tag%5B%5D=y')
  assert.equal(addressOf('/notes', []), '/notes')
})

test('JSON is shown with line breaks, and anything else as it came', () => {
  assert.equal(readable('{"a":1}', 'application/problem+json'), '{\n  "a": 1\n}')
  assert.equal(readable('{"a"', 'application/json'), '{"a"')
  assert.equal(readable('<p>', 'text/html'), '<p>')
})
