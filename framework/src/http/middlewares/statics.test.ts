import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Environments } from '../../settings/environments.ts'
import { array, assert as assertProperty, boolean, constantFrom, property } from 'fast-check'
import { waitFor } from '../../../tests/support/wait-for.ts'
import type { InjectedResponse } from '../server/inject.ts'
import { Server } from '../server/server.ts'
import { Compression } from './compression.ts'
import { Statics, isHidden, staticPath } from './statics.ts'
import type { StaticsOptions } from './statics.ts'

const files: Readonly<Record<string, string>> = {
  'secret.txt': 'secret',
  'public-sibling/x.txt': 'secret',
  'public/app.js': 'script',
  'public/a b/ä.txt': 'umlaut',
  'public/%2e%2e/x.txt': 'literal',
  'public/index.html': 'home',
  'public/docs/index.html': 'docs',
  'public/docs/page.html': 'page',
  'public/bare/x.txt': 'x',
  'public/.env': 'secret',
  'public/.git/config': 'secret',
  'public/page.html': 'plain',
  'public/page.html.gz': gzipSync('plain').toString('latin1'),
  'public/page.html.br': 'brotli',
  'public/photo.png': 'png',
  'public/photo.png.gz': 'gz',
}

describe('static files', () => {
  let root = ''

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'framework-test-'))
    for (const [name, content] of Object.entries(files)) {
      const path = join(root, name)
      await mkdir(join(path, '..'), { recursive: true })
      await writeFile(path, content, 'latin1')
      await utimes(path, 1_000_000, 1_000_000)
    }
    await writeFile(join(root, 'public/a b/ä.txt'), 'umlaut')
    const link = (target: string, name: string) => symlink(target, join(root, 'public', name))
    await link('../secret.txt', 'outside.txt')
    await link(join(root, 'secret.txt'), 'absolute.txt')
    await link('..', 'up')
    await link('../public-sibling', 'sibling')
    await link('app.js', 'inside.js')
    await link('docs', 'manual')
    await link('.env', 'hidden.txt')
    await link('.git', 'hidden')
    await link('nowhere', 'dangling')
    await link('loop', 'loop')
    await link('../secret.txt', 'app.js.gz')
    await symlink('public', join(root, 'current'))
  })

  after(() => rm(root, { recursive: true, force: true }))

  function serverOf(options: StaticsOptions = {}, folder = 'public'): Server {
    const server = new Server({ environment: Environments.Test })
    server.use(new Statics(join(root, folder), options))
    server.router.get('/route', () => 'route')
    server.router.get('/app.js', () => 'shadowed')
    server.router.post('/app.js', () => 'posted')
    return server
  }

  const get = (
    url: string,
    options: StaticsOptions = {},
    headers: Record<string, string> = {},
  ): Promise<InjectedResponse> => serverOf(options).inject({ url, headers })

  test('a file is served with type, validators and caching', async () => {
    const answer = await get('/app.js?v=1')
    assert.equal(answer.text, 'script')
    assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(answer.headers['cache-control'], 'public, max-age=0')
    assert.equal(answer.headers['last-modified'], 'Mon, 12 Jan 1970 13:46:40 GMT')
    const again = await get('/app.js', {}, { 'if-none-match': answer.headers['etag'] ?? '' })
    assert.equal(again.status, 304)
    const part = await get('/app.js', {}, { range: 'bytes=1-2' })
    assert.equal(part.status, 206)
    assert.equal(part.text, 'cr')
  })

  test('names are decoded once', async () => {
    assert.equal((await get('/a%20b/%C3%A4.txt')).text, 'umlaut')
    assert.equal((await get('/%252e%252e/x.txt')).text, 'literal')
  })

  test('caching is configurable', async () => {
    const answer = await get('/app.js', { maxAge: 60, immutable: true })
    assert.equal(answer.headers['cache-control'], 'public, max-age=60, immutable')
  })

  test('HEAD has the length and no body', async () => {
    const answer = await serverOf().inject({ method: 'HEAD', url: '/app.js' })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-length'], '6')
    assert.equal(answer.text, '')
  })

  test('in production a path without a file is looked at again after a second', async (t) => {
    const server = new Server({ environment: Environments.Production, reporter: null })
    server.use(new Statics(join(root, 'public')))
    server.router.get('/late.txt', () => 'route')
    let nowMs = performance.now()
    t.mock.method(performance, 'now', () => nowMs)
    const read = async (): Promise<string> => (await server.inject({ url: '/late.txt' })).text
    assert.equal(await read(), 'route')
    await writeFile(join(root, 'public/late.txt'), 'file')
    t.after(() => rm(join(root, 'public/late.txt')))
    nowMs += 999
    assert.equal(await read(), 'route')
    nowMs += 2
    assert.equal(await read(), 'file')
    assert.equal((await server.inject({ url: '/app.js' })).text, 'script')
  })

  /** A server in production that takes files for settled ones, and its clock. */
  async function production(
    t: TestContext,
    files: Readonly<Record<string, string>>,
    options: StaticsOptions = {},
  ): Promise<{
    server: Server
    folder: string
    clock: { nowMs: number }
    date: { mock: { restore(): void } }
  }> {
    const folder = await mkdtemp(join(root, 'production-'))
    for (const [name, content] of Object.entries(files))
      await writeFile(join(folder, name), content)
    const clock = { nowMs: performance.now() }
    t.mock.method(performance, 'now', () => clock.nowMs)
    const epochMs = Date.now() + 10_000
    const date = t.mock.method(Date, 'now', () => epochMs)
    const server = new Server({ environment: Environments.Production, reporter: null })
    server.use(new Compression({ threshold: 0 }), new Statics(folder, options))
    return { server, folder, clock, date }
  }

  test('in production a file is sent from memory for a second, with conditions and ranges', async (t) => {
    const { server, folder, clock } = await production(t, { 'a.txt': 'letters' })
    const first = await server.inject({ url: '/a.txt' })
    await rm(join(folder, 'a.txt'))
    clock.nowMs += 999
    const read = (headers: Record<string, string> = {}, method = 'GET') =>
      server.inject({ url: '/a.txt', headers, method })
    const again = await read()
    assert.equal(again.text, 'letters')
    assert.deepEqual(again.headers, first.headers)
    assert.equal((await read({ 'if-none-match': first.headers['etag'] ?? '' })).status, 304)
    assert.equal((await read({ 'if-none-match': '"x"' })).status, 200)
    const part = await read({ range: 'bytes=1-3' })
    assert.equal(part.text, 'ett')
    assert.equal(part.headers['content-range'], 'bytes 1-3/7')
    assert.equal((await read({ range: 'bytes=1-3', 'if-range': '"x"' })).text, 'letters')
    const head = await read({}, 'HEAD')
    assert.equal(head.headers['content-length'], '7')
    assert.equal(head.text, '')
    clock.nowMs += 2
    assert.equal((await read()).status, 404)
  })

  test('a changed file is sent after a second', async (t) => {
    const { server, folder, clock } = await production(t, { 'a.txt': 'old' })
    const read = async (): Promise<string> => (await server.inject({ url: '/a.txt' })).text
    assert.equal(await read(), 'old')
    await writeFile(join(folder, 'b.txt'), 'new')
    await rename(join(folder, 'b.txt'), join(folder, 'a.txt'))
    assert.equal(await read(), 'old')
    clock.nowMs += 1001
    assert.equal(await read(), 'new')
  })

  test('a file that was written a moment ago is read each time', async (t) => {
    const { server, folder, date } = await production(t, { 'a.txt': 'old' })
    // Not mocked anew: what a second mock puts back is the first.
    date.mock.restore()
    const read = async (): Promise<string> => (await server.inject({ url: '/a.txt' })).text
    assert.equal(await read(), 'old')
    await writeFile(join(folder, 'a.txt'), 'new')
    assert.equal(await read(), 'new')
  })

  test('a change seen under one name is never sent for ever under the old fingerprint', async (t) => {
    const { server, folder, clock } = await production(t, { 'a.css': 'old' })
    const old = `/a.${hash('sha256', 'old').slice(0, 12)}.css`
    assert.equal((await server.inject({ url: '/a.css' })).text, 'old')
    clock.nowMs += 500
    assert.match((await server.inject({ url: old })).headers['cache-control'] ?? '', /immutable/)
    await writeFile(join(folder, 'a.css'), 'new')
    clock.nowMs += 600
    assert.equal((await server.inject({ url: '/a.css' })).text, 'new')
    const answer = await server.inject({ url: old })
    assert.equal(answer.text, 'new')
    assert.equal(answer.headers['cache-control'], 'public, max-age=0')
  })

  test('a compressed form is kept: as small as can be, and made again for a changed file', async (t) => {
    const text = Array.from({ length: 2000 }, (_, at) => `.c${(at * 7919) % 1009} { }`).join('\n')
    const { server, folder, clock } = await production(t, { 'a.css': text })
    const read = async (): Promise<Buffer> => {
      const answer = await server.inject({ url: '/a.css', headers: { 'accept-encoding': 'gzip' } })
      assert.equal(answer.headers['content-encoding'], 'gzip')
      return answer.bytes
    }
    const best = gzipSync(text, { level: 9 })
    assert.ok((await read()).length > best.length)
    await waitFor('the best form', async () => (await read()).length === best.length)
    await writeFile(join(folder, 'a.css'), 'new '.repeat(100))
    assert.equal(gunzipSync(await read()).toString(), text)
    clock.nowMs += 1001
    assert.equal(gunzipSync(await read()).toString(), 'new '.repeat(100))
  })

  test('each client gets the sibling it takes from memory too', async (t) => {
    const siblings = { 'a.txt': 'plain', 'a.txt.br': 'brotli', 'a.txt.gz': 'gzip' }
    const { server, folder } = await production(t, siblings, { precompressed: true })
    const read = async (accept: string): Promise<string> =>
      (await server.inject({ url: '/a.txt', headers: { 'accept-encoding': accept } })).text
    const all = async (): Promise<string[]> => [
      await read('br'),
      await read('gzip'),
      await read('identity'),
    ]
    assert.deepEqual(await all(), ['brotli', 'gzip', 'plain'])
    await rm(folder, { recursive: true })
    assert.deepEqual(await all(), ['brotli', 'gzip', 'plain'])
  })

  test('other methods and paths without a file go on', async () => {
    assert.equal((await serverOf().inject({ method: 'POST', url: '/app.js' })).text, 'posted')
    assert.equal((await get('/route')).text, 'route')
    assert.equal((await get('/none.js')).status, 404)
  })

  test('below a prefix files and routes do not meet', async () => {
    for (const prefix of ['/assets', '/assets/']) {
      assert.equal((await get('/assets/app.js', { prefix })).text, 'script')
      assert.equal((await get('/app.js', { prefix })).text, 'shadowed')
      assert.equal((await get('/assetsapp.js', { prefix })).status, 404)
      assert.equal((await get('/assets', { prefix })).status, 404)
      assert.equal((await get('/assets/', { prefix })).text, 'home')
    }
  })

  test('a folder answers with its index, and only below its slash', async () => {
    assert.equal((await get('/')).text, 'home')
    assert.equal((await get('/docs/')).text, 'docs')
    assert.equal((await get('/manual/')).text, 'docs')
    const answer = await get('/docs?a=1')
    assert.equal(answer.status, 301)
    assert.equal(answer.headers['location'], '/docs/?a=1')
    assert.equal((await get('/docs/', { index: 'page.html' })).text, 'page')
  })

  test('a folder without an index is nothing, and neither is a file with a slash', async () => {
    for (const path of ['/bare', '/bare/', '/page.html/', '/app.js/x', '/docs/index.html/']) {
      assert.equal((await get(path)).status, 404, path)
    }
  })

  test('a link is followed inside the folder only', async () => {
    assert.equal((await get('/inside.js')).text, 'script')
    for (const path of [
      '/outside.txt',
      '/absolute.txt',
      '/up/secret.txt',
      '/up/public/app.js',
      '/sibling/x.txt',
      '/dangling',
      '/loop',
      '/hidden.txt',
      '/hidden/config',
    ]) {
      // A way out and in again ends inside, so that one may be served; nothing else may.
      const answer = await get(path)
      if (path === '/up/public/app.js') assert.equal(answer.text, 'script')
      else assert.equal(answer.status, 404, path)
    }
  })

  test('the folder itself may be a link', async () => {
    assert.equal((await serverOf({}, 'current').inject({ url: '/app.js' })).text, 'script')
  })

  test('no spelling leads out of the folder', async () => {
    const ups = [
      '..',
      '%2e%2e',
      '.%2e',
      '%2E.',
      '%252e%252e',
      '..%00',
      '..;',
      '..%3b',
      '%c0%ae%c0%ae',
      '．．',
    ]
    const slashes = ['/', '%2f', '%2F', '%5c', '\\', '%252f', '//', '/./', '%c0%af']
    const targets = ['secret.txt', 'public-sibling/x.txt', 'etc/passwd']
    for (const dotfiles of [false, true]) {
      const server = serverOf({ dotfiles })
      for (const up of ups) {
        for (const slash of slashes) {
          for (const target of targets) {
            for (const url of [
              `/${up}${slash}${target}`,
              `/docs/${up}${slash}${up}${slash}${target}`,
              `/${slash}${up}${slash}${target}`,
              `/docs${slash}${up}${slash}${up}${slash}${target}`,
            ]) {
              const { status, text } = await server.inject({ url })
              assert.ok(status === 404 || status === 400, `${url} answered ${status}`)
              assert.doesNotMatch(text, /secret|root:/)
            }
          }
        }
      }
    }
  })

  test('an absolute path is not one of the file system', async () => {
    for (const url of [
      '//etc/passwd',
      '/%2fetc/passwd',
      '///etc/passwd',
      `/${join(root, 'secret.txt')}`,
    ]) {
      assert.equal((await get(url)).status, 404, url)
    }
  })

  test('broken percent-encoding is refused with 400', async () => {
    for (const url of ['/%', '/%zz', '/%ff', '/app.js%'])
      assert.equal((await get(url)).status, 400, url)
  })

  test('a NUL or a name that is too long is no file', async () => {
    for (const url of [
      '/app.js%00',
      '/app.js%00.png',
      `/${'x'.repeat(300)}`,
      `/${'x/'.repeat(3000)}`,
    ]) {
      assert.equal((await get(url)).status, 404)
    }
  })

  test('dotfiles are served only when asked for', async () => {
    for (const url of ['/.env', '/%2eenv', '/.git/config']) {
      assert.equal((await get(url)).status, 404)
      assert.equal((await get(url, { dotfiles: true })).text, 'secret')
    }
  })

  test('a compressed sibling is sent to clients that take it, when that is on', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    const plain = await get('/page.html', {}, headers)
    assert.equal(plain.headers['content-encoding'], undefined)
    const answer = await get('/page.html', { precompressed: true }, headers)
    assert.equal(answer.headers['content-encoding'], 'gzip')
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(answer.headers['vary'], 'Accept-Encoding')
    assert.deepEqual(answer.bytes, gzipSync('plain'))
    assert.notEqual(answer.headers['etag'], plain.headers['etag'])
    const both = await get('/page.html', { precompressed: true }, { 'accept-encoding': 'gzip, br' })
    assert.equal(both.text, 'brotli')
    const none = await get('/page.html', { precompressed: true })
    assert.equal(none.text, 'plain')
    assert.equal(none.headers['vary'], 'Accept-Encoding')
  })

  test('a sibling that leads outside, or of a type that does not shrink, is not sent', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    assert.equal((await get('/app.js', { precompressed: true }, headers)).text, 'script')
    const photo = await get('/photo.png', { precompressed: true }, headers)
    assert.equal(photo.text, 'png')
    assert.equal(photo.headers['vary'], undefined)
  })

  test('a compressed sibling is not compressed again', async () => {
    const server = new Server({ environment: Environments.Test })
    server.use(
      new Compression({ threshold: 0 }),
      new Statics(join(root, 'public'), { precompressed: true }),
    )
    const answer = await server.inject({ url: '/page.html', headers: { 'accept-encoding': 'br' } })
    assert.equal(answer.headers['content-encoding'], 'br')
    assert.equal(answer.text, 'brotli')
    assert.equal(answer.headers['vary'], 'Accept-Encoding')
  })

  test('a folder that does not exist is an error at start', () => {
    assert.throws(() => new Statics(join(root, 'none')), { code: 'E_STATICS' })
    assert.throws(() => new Statics(join(root, 'secret.txt')), { code: 'E_STATICS' })
  })
})

test('a path below the prefix is decoded once', () => {
  assert.equal(staticPath('/a/b.txt', '/', false), 'a/b.txt')
  assert.equal(staticPath('/assets/a%20b/%C3%A4.txt', '/assets/', false), 'a b/ä.txt')
  assert.equal(staticPath('/', '/', false), '')
  assert.equal(staticPath('/docs/', '/', false), 'docs/')
  assert.equal(staticPath('/a..b/c...', '/', false), 'a..b/c...')
})

test('a double encoding stays literal', () => {
  assert.equal(staticPath('/%252e%252e/x', '/', false), '%2e%2e/x')
  assert.equal(staticPath('/a%252fb', '/', false), 'a%2fb')
})

test('a path elsewhere is none of ours', () => {
  for (const path of ['/other/a', '/assets', '/assetsx/a', '*', '']) {
    assert.equal(staticPath(path, '/assets/', false), null)
  }
})

const climbing = [
  '/..',
  '/../x',
  '/a/../x',
  '/a/..',
  '/./x',
  '/a/.',
  '/%2e%2e/x',
  '/%2E%2e/x',
  '/.%2e/x',
  '/%2e./x',
  '/a/%2e%2e',
  '/..%2fx',
  '/..%2Fx',
  '/a%2fb',
  '/..%5cx',
  '/a%5Cb',
  '/..\\x',
  '/a\\b',
  '/a%00',
  '/a%00.txt',
  '/a\0',
  '/a%0d%0ab',
  '/a%7f',
  '//etc/passwd',
  '/a//b',
  '///x',
]

for (const path of climbing) {
  test(`${JSON.stringify(path)} never means a file, dotfiles or not`, () => {
    assert.equal(staticPath(path, '/', false), null)
    assert.equal(staticPath(path, '/', true), null)
  })
}

test('names that begin with a dot mean files only when asked for', () => {
  for (const path of ['/.env', '/a/.git/config', '/%2eenv', '/...', '/.well-known/x']) {
    assert.equal(staticPath(path, '/', false), null)
    assert.notEqual(staticPath(path, '/', true), null)
  }
})

for (const path of ['/%', '/%4', '/%zz', '/a%c3%28', '/%ff', '/%c0%af']) {
  test(`${path} is broken percent-encoding and refused with 400`, () => {
    assert.throws(() => staticPath(path, '/', false), { status: 400 })
  })
}

test('whatever the path, the file stays below the folder', () => {
  const piece = constantFrom(
    '..',
    '.',
    '/',
    '%2e',
    '%2E',
    '%2f',
    '%5c',
    '\\',
    '%00',
    '%25',
    '2e',
    'a',
    '%',
    'é',
    ' ',
  )
  const paths = array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`)
  assertProperty(
    property(paths, boolean(), (path, dotfiles) => {
      let relative: string | null = null
      try {
        relative = staticPath(path, '/', dotfiles)
      } catch {
        return
      }
      if (relative === null) return
      const resolved = posix.resolve('/folder', relative)
      assert.ok(resolved === '/folder' || resolved.startsWith('/folder/'), path)
      assert.ok(!relative.includes('\0') && !relative.includes('\\'), path)
    }),
    { numRuns: 5000 },
  )
})

test('hidden is a path through any name that begins with a dot', () => {
  for (const path of ['.env', 'a/.git/x', 'a/..']) assert.ok(isHidden(path))
  for (const path of ['', 'a', 'a.b/c.d']) assert.ok(!isHidden(path))
})
