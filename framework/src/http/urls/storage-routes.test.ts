import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { ApplicationKey } from '../../settings/application-key.ts'
import type { Disk } from '../../storage/disk.ts'
import { diskFrom } from '../../storage/storage-settings.ts'
import { Csrf } from '../middlewares/csrf.ts'
import { Sessions } from '../session/sessions.ts'
import { MemorySessions } from '../session/memory-sessions.ts'
import { Server } from '../server/server.ts'
import { StorageRoutes } from './storage-routes.ts'

const site = 'https://shop.example'
const html = '<script>alert(1)</script>'

interface Site {
  readonly disk: Disk
  readonly server: Server
  /** Moves the clock of the signatures. */
  readonly pass: (seconds: number) => void
}

async function open(t: TestContext): Promise<Site> {
  const root = mkdtempSync(join(tmpdir(), 'framework-stored-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  let now = 1_800_000_000
  const key = new ApplicationKey(createSecretKey(randomBytes(32)))
  const boot = { root, server: { url: site }, clock: () => now }
  const disk = await diskFrom({ url: 'file:files' }, boot, key)
  const server = new Server().configure({ url: site })
  server.use(new Sessions(new MemorySessions()))
  server.use(new Csrf())
  server.mount([StorageRoutes<Disk>((files) => files)], disk)
  server.router.get('/show/*key', ({ params }, response) =>
    response.stored(disk, params.key, { inline: true }),
  )
  return { disk, server, pass: (seconds) => void (now += seconds) }
}

function pathOf(url: string): string {
  assert.ok(url.startsWith(`${site}/storage/`), url)
  return url.slice(site.length)
}

test('a signed address saves the file, of the type that it is', async (t) => {
  const { disk, server, pass } = await open(t)
  await disk.put('a/lie.png', html)
  const url = pathOf(await disk.signedUrl('a/lie.png', { expires: 60, download: 'Käse.png' }))
  const { status, headers, text } = await server.inject({ url })
  assert.deepEqual([status, text], [200, html])
  assert.equal(headers['content-type'], 'application/octet-stream')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['content-disposition']), /^attachment; .*K%C3%A4se\.png/)
  for (const other of [
    url.replace('lie', 'other'),
    url.replace('expires=', 'expires=9'),
    '/storage/a/lie.png',
  ]) {
    assert.equal((await server.inject({ url: other })).status, 403, other)
  }
  pass(61)
  assert.equal((await server.inject({ url })).status, 403)
})

test('a route may show a file instead', async (t) => {
  const { disk, server } = await open(t)
  await disk.put('a.txt', '0123456789')
  const url = '/show/a.txt'
  const whole = await server.inject({ url })
  assert.equal(whole.headers['content-disposition'], undefined)
  assert.equal(whole.headers['content-type'], 'text/plain; charset=utf-8')
  const inline = await server.inject({
    url: pathOf(await disk.signedUrl('a.txt', { inline: true })),
  })
  assert.equal(inline.headers['content-disposition'], undefined)
  const part = await server.inject({ url, headers: { range: 'bytes=2-4' } })
  assert.deepEqual([part.status, part.text], [206, '234'])
  assert.equal(part.headers['content-range'], 'bytes 2-4/10')
  const etag = String(whole.headers['etag'])
  const fresh = await server.inject({ url, headers: { 'if-none-match': etag } })
  assert.deepEqual([fresh.status, fresh.text], [304, ''])
  assert.equal((await server.inject({ url, headers: { range: 'bytes=10-' } })).status, 416)
  const head = await server.inject({ method: 'HEAD', url })
  assert.deepEqual([head.status, head.headers['content-length'], head.text], [200, '10', ''])
})

test('what is no object, or no key, is a 404', async (t) => {
  const { server } = await open(t)
  for (const url of ['/show/none', '/show/.parts/x', '/show/a%2F..%2Fb', '/show/%00']) {
    assert.equal((await server.inject({ url })).status, 404, url)
  }
})

function upload(bytes: string): { body: string; headers: Record<string, string> } {
  const part =
    'Content-Disposition: form-data; name="file"; filename="me.png"\r\nContent-Type: image/png'
  return {
    body: `--x\r\n${part}\r\n\r\n${bytes}\r\n--x--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=x', origin: site },
  }
}

test('a signed form stores one file of its size, without a token, and the server confirms it', async (t) => {
  const { disk, server, pass } = await open(t)
  const { action, fields, key } = await disk.form({
    maxBytes: 10,
    expires: 60,
    redirect: `${site}/done?a=1`,
  })
  assert.deepEqual(fields, {})
  const url = pathOf(action)
  const large = await server.inject({ method: 'POST', url, ...upload('eleven byte') })
  assert.equal(large.status, 413)
  const sent = await server.inject({ method: 'POST', url, ...upload('ten bytes!') })
  assert.equal(sent.status, 303)
  assert.equal(sent.headers['location'], `${site}/done?a=1&key=${encodeURIComponent(key)}`)
  assert.equal((await disk.confirm(key, 'a.txt', { maxBytes: 10 })).size, 10)
  const none = await server.inject({
    method: 'POST',
    url,
    body: '',
    headers: { 'content-type': 'text/plain' },
  })
  assert.ok(none.status >= 400)
  const silent = pathOf((await disk.form({ maxBytes: 10 })).action)
  const stored = await server.inject({ method: 'POST', url: silent, ...upload('a') })
  assert.equal(stored.status, 204)
  pass(61)
  assert.equal((await server.inject({ method: 'POST', url, ...upload('late') })).status, 403)
})

test('an address to read cannot be posted to', async (t) => {
  const { disk, server } = await open(t)
  await disk.put('a.png', 'before')
  const url = pathOf(await disk.signedUrl('a.png'))
  assert.equal((await server.inject({ method: 'POST', url, ...upload('after') })).status, 400)
  assert.equal((await disk.find('a.png'))?.size, 6)
  const unsigned = await server.inject({
    method: 'POST',
    url: '/storage/a.png?max=9',
    ...upload('x'),
  })
  assert.equal(unsigned.status, 403)
})
