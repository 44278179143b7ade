import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import { Views } from '../../base/templates/views.ts'
import { Statics } from '../middlewares/statics.ts'
import type { StaticsOptions } from '../middlewares/statics.ts'
import { Server } from '../server/server.ts'
import { addFingerprint, parseFingerprint } from './assets.ts'

const forAYear = 'public, max-age=31536000, immutable'

function plant(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'framework-assets-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

interface Site {
  readonly server: Server
  /** What the view `page` shows. */
  readonly shown: () => Promise<string>
}

function serve(
  root: string,
  environment: Environments = Environments.Production,
  options: StaticsOptions = {},
): Site {
  const server = new Server({ environment, reporter: null })
  const views = new Views(join(root, 'views'), {
    reload: environment === Environments.Development,
  })
  views.check()
  server.configure({ views }).use(new Statics(join(root, 'public'), options))
  server.router.get('/', (_request, response) => response.view('page', { name: 'app.css' }))
  return { server, shown: async () => (await server.inject({ url: '/' })).text }
}

const page = { 'views/page.template.html': `<%= asset('app.css') %>` }

test('asset() returns a name with a fingerprint that browsers keep for a year', async (t) => {
  const { server, shown } = serve(plant(t, { ...page, 'public/app.css': 'a {}' }))
  const url = await shown()
  assert.match(url, /^\/app\.[0-9a-f]{12}\.css$/)
  const { status, text, headers } = await server.inject({ url })
  assert.deepEqual([status, text], [200, 'a {}'])
  assert.equal(headers['cache-control'], forAYear)
  assert.equal(headers['content-type'], 'text/css; charset=utf-8')
  const head = await server.inject({ method: 'HEAD', url })
  assert.equal(head.headers['cache-control'], forAYear)
})

test('the plain name is served beside it, with validators', async (t) => {
  const { server, shown } = serve(plant(t, { ...page, 'public/app.css': 'a {}' }))
  await shown()
  const { text, headers } = await server.inject({ url: '/app.css' })
  assert.equal(text, 'a {}')
  assert.equal(headers['cache-control'], 'public, max-age=0')
  assert.ok(headers['etag'])
})

test('the same content has the same fingerprint, other content another one', async (t) => {
  const urls = await Promise.all(
    ['a {}', 'a {}', 'b {}'].map((text) =>
      serve(plant(t, { ...page, 'public/app.css': text })).shown(),
    ),
  )
  assert.equal(urls[0], urls[1])
  assert.notEqual(urls[0], urls[2])
})

test('the fingerprint of another release gets the file of this one, and no cache keeps it', async (t) => {
  const root = plant(t, { ...page, 'public/app.css': 'a {}' })
  // Also where plain names are kept: what is under this name may be another file elsewhere.
  const { server } = serve(root, Environments.Production, { maxAge: 600, immutable: true })
  const { status, text, headers } = await server.inject({ url: '/app.000000000000.css' })
  assert.deepEqual([status, text], [200, 'a {}'])
  assert.equal(headers['cache-control'], 'public, max-age=0')
  assert.equal((await server.inject({ url: '/none.000000000000.css' })).status, 404)
})

test('a file replaced under a running server is no longer kept under its old fingerprint', async (t) => {
  const root = plant(t, { ...page, 'public/app.css': 'a {}' })
  const { server, shown } = serve(root)
  const url = await shown()
  writeFileSync(join(root, 'public/app.css'), 'changed {}')
  const { text, headers } = await server.inject({ url })
  assert.equal(text, 'changed {}')
  assert.equal(headers['cache-control'], 'public, max-age=0')
})

test('in development a changed file has another fingerprint at once', async (t) => {
  const root = plant(t, { ...page, 'public/app.css': 'a {}' })
  const { server, shown } = serve(root, Environments.Development)
  const before = await shown()
  writeFileSync(join(root, 'public/app.css'), 'b {}')
  utimesSync(join(root, 'public/app.css'), 1, 1)
  const after = await shown()
  assert.notEqual(before, after)
  assert.equal((await server.inject({ url: after })).headers['cache-control'], forAYear)
})

test('elsewhere the file is read once: a page costs no look at the disk', async (t) => {
  const root = plant(t, { ...page, 'public/app.css': 'a {}' })
  const { shown } = serve(root)
  const before = await shown()
  rmSync(join(root, 'public/app.css'))
  assert.equal(await shown(), before)
})

test('a part of a file, a query, folders, a prefix and other characters stay in the URL', async (t) => {
  const root = plant(t, {
    'views/page.template.html': `<%= ['icons.svg#user', 'a b/ä.css?x=1'].map((name) => asset(name)).join(' ') %>`,
    'public/icons.svg': '<svg/>',
    'public/a b/ä.css': '',
  })
  const { server, shown } = serve(root, Environments.Production, { prefix: '/files' })
  const [icon = '', style = ''] = (await shown()).split(' ')
  assert.match(icon, /^\/files\/icons\.[0-9a-f]{12}\.svg#user$/)
  assert.match(style, /^\/files\/a%20b\/%C3%A4\.[0-9a-f]{12}\.css\?x=1$/)
  const { headers } = await server.inject({ url: style })
  assert.equal(headers['cache-control'], forAYear)
})

test('a compressed sibling is sent under the fingerprint of its file', async (t) => {
  const files = { ...page, 'public/app.css': 'a {}', 'public/app.css.br': 'brotli' }
  const { server, shown } = serve(plant(t, files), Environments.Production, {
    precompressed: true,
  })
  const headers = { 'accept-encoding': 'br' }
  const answer = await server.inject({ url: await shown(), headers })
  assert.equal(answer.text, 'brotli')
  assert.equal(answer.headers['cache-control'], forAYear)
})

test('a literal name that no file has stops the start, with the line of the view', async (t) => {
  const root = plant(t, { 'views/page.template.html': `\n<%= asset('ap.css') %>`, 'public/x': '' })
  const { server } = serve(root)
  assert.throws(() => void server.inject({ url: '/' }), {
    code: 'E_TEMPLATE_COMPILE',
    message: /^views\/page\.template\.html:2: there is no asset 'ap\.css'.*public\/ap\.css/s,
  })
})

test('a name that is made up later fails the page; none leads out of the folder', async (t) => {
  const root = plant(t, {
    'views/page.template.html': `<%= it.names.map((name) => { try { return asset(name) } catch (e) { return e.code } }) %>`,
    'public/.env': '',
    'public/folder/x': '',
    'secret.txt': '',
  })
  symlinkSync('../secret.txt', join(root, 'public/link.txt'))
  const { server } = serve(root)
  const names = ['none.css', '', '.env', 'folder', '../secret.txt', '/etc/hosts', 'link.txt', '#x']
  server.router.get('/names', (_request, response) => response.view('page', { names }))
  const { text } = await server.inject({ url: '/names' })
  assert.deepEqual(
    text.split(','),
    names.map(() => 'E_ASSET'),
  )
})

test('a large file keeps its name', async (t) => {
  const root = plant(t, { ...page, 'public/app.css': '' })
  truncateSync(join(root, 'public/app.css'), 4_194_305)
  assert.equal(await serve(root).shown(), '/app.css')
})

test('of several folders the first one that has the file is meant', async (t) => {
  const root = plant(t, { ...page, 'public/x': '', 'more/app.css': 'a {}' })
  const { server, shown } = serve(root)
  server.use(new Statics(join(root, 'more'), { prefix: '/more' }))
  assert.match(await shown(), /^\/more\/app\.[0-9a-f]{12}\.css$/)
})

test('without static files asset() is the plain name, for a proxy that serves them', async (t) => {
  const root = plant(t, page)
  const server = new Server({ environment: Environments.Production, reporter: null })
  server.configure({ views: new Views(join(root, 'views')) })
  server.router.get('/', (_request, response) => response.view('page'))
  assert.equal((await server.inject({ url: '/' })).text, '/app.css')
})

test('a view may have a variable or a method of that name', async (t) => {
  const root = plant(t, {
    'views/page.template.html': `<% const asset = it.name %><%= asset %> <%= it.rows?.asset(1) %>`,
    'public/x': '',
  })
  assert.equal(await serve(root).shown(), 'app.css ')
})

const fingerprint = '3f9c0123abcd'

test('the fingerprint stands before the last ending, and is found there again', () => {
  for (const [name, expected] of [
    ['app.css', 'app.3f9c0123abcd.css'],
    ['app.min.js', 'app.min.3f9c0123abcd.js'],
    ['fonts/a.b/serif.woff2', 'fonts/a.b/serif.3f9c0123abcd.woff2'],
    ['a.b/LICENSE', 'a.b/LICENSE.3f9c0123abcd'],
  ] as const) {
    assert.equal(addFingerprint(name, fingerprint), expected)
    assert.deepEqual(parseFingerprint(expected), { name, fingerprint })
  }
})

test('other names have no fingerprint', () => {
  for (const name of [
    '',
    'app.css',
    'app.3f9c.css',
    'app.3F9C0123ABCD.css',
    'app.3f9c0123abcde.css',
    '.3f9c0123abcd.css',
    'a/.3f9c0123abcd.css',
    '3f9c0123abcd.css',
    'app.3f9c0123abcd.d/x.css',
  ]) {
    assert.equal(parseFingerprint(name), null, name)
  }
})

test('a name that another folder has is looked for once in production', async (t) => {
  const root = plant(t, { ...page, 'public/x': '', 'more/app.css': 'body {}' })
  const server = new Server({ environment: Environments.Production, reporter: null })
  server.configure({ views: new Views(join(root, 'views')) })
  server.use(
    new Statics(join(root, 'public')),
    new Statics(join(root, 'more'), { prefix: '/more' }),
  )
  server.router.get('/', (_request, response) => response.view('page'))
  const read = async (): Promise<string> => (await server.inject({ url: '/' })).text
  const first = await read()
  assert.match(first, /^\/more\/app\.[0-9a-f]{12}\.css$/)
  writeFileSync(join(root, 'public', 'app.css'), 'p {}')
  assert.equal(await read(), first)
})
