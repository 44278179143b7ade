import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Server } from '../http/server/server.ts'
import { documentPage } from './document-page.ts'
import { addressOf, curlLine, readable } from './in-page/request-parts.ts'
import type { CurlRequest } from './in-page/request-parts.ts'
import { openApiDocument } from './open-api-document.ts'
import { declareOpenApi } from './open-api-routes.ts'
import { describedApi } from '../../tests/support/described-api.ts'
import { findOnPath } from '../../tests/support/find-on-path.ts'

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
  const page = documentPage(described, { nonce: 'n', tools: '', token: 't', hasInspector: true })
  assert.equal(page.match(/<details class="card operation"/g)?.length, 16)
  assert.match(
    page,
    /Needs an API token with <code>orders:write<\/code>, or a session and its CSRF token\./,
  )
  assert.match(
    page,
    /<b>children<\/b>: <a href="#schema-BodyOfPostApiZod">BodyOfPostApiZod<\/a>\[\]/,
  )
  assert.match(page, /<li>PURGE \/api\/things is not listed/)
  assert.match(page, /<input type="file" name="file:files" multiple>/)
  assert.match(
    page,
    /&quot;title&quot;: &quot;text&quot;\n}<\/textarea><\/label>\s*<label>letter<input type="file" name="file:letter"/,
  )
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

const nasty = {
  name: `it's "$HOME" \`id\` \\ !! @/etc/passwd\n; rm -rf /tmp/x &`,
  'a b': '*',
  n: 7,
}

/** The words that a shell makes of a command; the command itself is not run. */
async function wordsOf(command: string): Promise<string[]> {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
  const { stdout } = await promisify(execFile)('sh', ['-c', script])
  return stdout.split('\0').slice(0, -1)
}

test('a shell takes a copied request as it is, whatever was typed', async () => {
  const body = JSON.stringify(nasty, null, 2)
  const request = {
    method: 'PUT',
    url: "http://x/a?q='{b}[1-2]'&c=$d",
    takesToken: true,
    files: [],
  }
  assert.deepEqual(await wordsOf(curlLine({ ...request, body })), [
    '-g',
    request.url,
    '-X',
    'PUT',
    '-H',
    'Accept: application/json',
    '-H',
    'Authorization: Bearer YOUR_TOKEN',
    '-H',
    'Content-Type: application/json',
    '--data-raw',
    body,
  ])
  const files = [['scan', `my "x"; $(id)\\.pdf`]] as const
  const words = await wordsOf(curlLine({ ...request, takesToken: false, body, files }))
  assert.deepEqual(words.slice(6), [
    '--form-string',
    `name=${nasty.name}`,
    '--form-string',
    'a b=*',
    '--form-string',
    'n=7',
    '-F',
    `scan=@"my \\"x\\"; $(id)\\\\.pdf"`,
  ])
})

const curl = findOnPath(['curl'])

test(
  'a copied request does what the page does',
  { skip: curl === null && 'no curl' },
  async (t) => {
    const server = new Server({ reporter: null })
    server.router.post('/notes/:id', async (request) => ({
      id: request.params.id,
      tags: request.query['tag'] ?? '',
      token: request.header('authorization') ?? null,
      body: await request.json(),
    }))
    server.router.post(
      '/scans',
      async (request) => {
        const { fields, files } = await request.form()
        return { fields, names: files.map(({ field, filename }) => [field, filename]) }
      },
      { uploads: {} },
    )
    const { port } = await server.configure({ port: 0 }).listen({ signals: false })
    t.after(() => server.close())
    const folder = mkdtempSync(join(tmpdir(), 'framework-curl-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const file = `my 'x', $(id); 1.txt`
    writeFileSync(join(folder, file), 'scanned')
    const run = async (
      request: Partial<CurlRequest> & { readonly url: string },
    ): Promise<unknown> => {
      const url = `http://127.0.0.1:${port}${request.url}`
      const all = {
        method: 'POST',
        takesToken: false,
        body: JSON.stringify(nasty),
        files: [],
        ...request,
        url,
      }
      const { stdout } = await promisify(execFile)('sh', ['-c', curlLine(all)], { cwd: folder })
      return JSON.parse(stdout)
    }
    const address = addressOf('/notes/{id}', [
      ['path:id', "{1}'s"],
      ['query:tag', '[a-c]&$x'],
    ])
    assert.deepEqual(await run({ url: address, takesToken: true }), {
      id: "{1}'s",
      tags: '[a-c]&$x',
      token: 'Bearer YOUR_TOKEN',
      body: nasty,
    })
    assert.deepEqual(await run({ url: '/scans', files: [['scan', file]] }), {
      fields: { ...nasty, n: '7' },
      names: [['scan', file]],
    })
  },
)

test('JSON is shown with line breaks, and anything else as it came', () => {
  assert.equal(readable('{"a":1}', 'application/problem+json'), '{\n  "a": 1\n}')
  assert.equal(readable('{"a"', 'application/json'), '{"a"')
  assert.equal(readable('<p>', 'text/html'), '<p>')
})
