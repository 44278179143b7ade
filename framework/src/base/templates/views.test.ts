import assert from 'node:assert/strict'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { TemplateError } from './template-error.ts'
import { Views } from './views.ts'
import type { ViewsOptions } from './views.ts'

type Files = Record<string, string>

function folder(t: TestContext, files: Files): string {
  const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'views-')))
  t.after(() => fs.rmSync(base, { recursive: true }))
  const root = join(base, 'views')
  fs.mkdirSync(root)
  for (const [name, text] of Object.entries(files)) write(root, name, text)
  return root
}

function write(root: string, name: string, text: string): void {
  const file = join(root, `${name}.template.html`)
  fs.mkdirSync(dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}

function views(t: TestContext, files: Files, options?: ViewsOptions): Views {
  return new Views(folder(t, files), options)
}

function failure(run: () => unknown): TemplateError {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof TemplateError, `not a TemplateError: ${String(error)}`)
    return error
  }
  return assert.fail('nothing was thrown')
}

test('a view is rendered by its name, with and without data', (t) => {
  const pages = views(t, { home: 'Hi <%= it.name %>', 'errors/404': 'gone' })
  assert.equal(pages.render('home', { name: '<Ada>' }), 'Hi &lt;Ada&gt;')
  assert.equal(pages.render('home'), 'Hi ')
  assert.equal(pages.render('errors/404'), 'gone')
})

test('what the folder lacks is found in a fallback, whose includes the folder can replace', (t) => {
  const first = folder(t, {
    page: `<%~ include('./part') %> by package`,
    part: 'part',
    note: 'note',
  })
  const second = folder(t, { note: 'never', last: 'last' })
  const pages = views(t, { part: 'own part' }, { fallbacks: [first, second] })
  assert.equal(pages.render('page'), 'own part by package')
  assert.deepEqual([pages.render('note'), pages.render('last')], ['note', 'last'])
  assert.deepEqual([pages.has('page'), pages.has('other')], [true, false])
  assert.throws(() => pages.render('pages'), {
    code: 'E_VIEW_MISSING',
    message: /did you mean 'page'/,
  })
})

test('a view that is written beside a running server replaces the one of a fallback', (t) => {
  const own = folder(t, {})
  const pages = new Views(own, { reload: true, fallbacks: [folder(t, { page: 'package' })] })
  assert.equal(pages.render('page'), 'package')
  write(own, 'page', 'own')
  assert.equal(pages.render('page'), 'own')
})

test('partials get the data of the page and their own on top, and cannot change the page', (t) => {
  const pages = views(t, {
    page: `<%~ include('partials/row', { b: 2 }) %>|<%= it.a %><%= it.b %><%= it.c %>`,
    'partials/row': `<%= it.a %><%= it.b %><% it.c = 3 %>`,
  })
  assert.equal(pages.render('page', { a: 1 }), '12|1')
})

test('names in a template start at the root, or beside it with ./', (t) => {
  const pages = views(t, {
    row: 'root row',
    'items/row': 'items row',
    'items/list': `<% layout('./frame') %><%~ include('./row') %>, <%~ include('row') %>`,
    'items/frame': `[<%~ it.body %>]`,
  })
  assert.equal(pages.render('items/list'), '[items row, root row]')
  assert.equal(pages.render('items/list'), '[items row, root row]', 'and from the cache')
})

test('a layout wraps the page, nests, and takes data of its own', (t) => {
  const pages = views(t, {
    page: `<% layout('inner', { title: 'T' }) %>page <%= it.name %>`,
    inner: `<% layout('outer') %><main><%~ it.body %></main>`,
    outer: `<h1><%= it.title %></h1><%~ it.body %>`,
  })
  assert.equal(pages.render('page', { name: 'x' }), '<h1>T</h1><main>page x</main>')
})

test('templates of plain text print values as they are and keep the line break after them', (t) => {
  const texts = views(
    t,
    {
      mail: `<% layout('frame') %>\nHi <%= it.name %>\n<% if (it.link) { %>\n<%= it.link %>\n<% } %>\nBye`,
      frame: `<%~ it.body %>\n-- \nShop`,
    },
    { plain: true },
  )
  assert.equal(
    texts.render('mail', { name: '<Ada>', link: '/?a=1&b=2' }),
    'Hi <Ada>\n/?a=1&b=2\nBye\n-- \nShop',
  )
})

test('an error in a template of plain text names its line', (t) => {
  const texts = views(
    t,
    { mail: 'a\n<%= it.x %>\n<% if (true) { %>\n<%= it.y.z %>\n<% } %>' },
    { plain: true },
  )
  assert.match(failure(() => texts.render('mail', { x: 1 })).message, /mail\.template\.html:4: /)
})

test('blocks of a page replace those of its layouts', (t) => {
  const pages = views(t, {
    page: `<% layout('inner') %><% block('title', () => { %>Page & <%= it.x %><% }) %>text`,
    plain: `<% layout('inner') %>text`,
    inner: `<% layout('outer') %><% block('title', () => { %>Inner<% }) %>(<%~ it.body %>)`,
    outer: `<%~ block('title', () => { %>Outer<% }) %>:<%~ block('none') %><%~ it.body %>`,
  })
  assert.equal(pages.render('page', { x: '<' }), 'Page & &lt;:(text)')
  assert.equal(pages.render('plain'), 'Inner:(text)')
  assert.equal(pages.render('outer', { body: '!' }), 'Outer:!')
})

test('data can never be used as a block', (t) => {
  const pages = views(t, { page: `<%~ block('title', () => { %>safe<% }) %>` })
  const hostile = { __blocks: { title: '<script>' }, blocks: { title: '<script>' } }
  assert.equal(pages.render('page', hostile), 'safe')
  assert.equal(views(t, { page: `<%~ block('constructor') %>` }).render('page'), '')
})

test('globals are in every template and data wins over them', (t) => {
  const pages = views(
    t,
    {
      page: `<% layout('frame') %><%= it.site %> <%~ include('part') %>`,
      part: `<%= it.site %> <%= it.shout('x') %>`,
      frame: `<%= it.site %>: <%~ it.body %>`,
    },
    { globals: { site: 'Shop', shout: (text: string) => text.toUpperCase() } },
  )
  assert.equal(pages.render('page'), 'Shop: Shop Shop X')
  assert.equal(pages.render('page', { site: 'Mine' }), 'Mine: Mine Mine X')
})

test('the data handed in is not changed by a template', (t) => {
  const data = { list: 1 }
  views(t, { page: '<% it.list = 2; it.more = 3 %>' }).render('page', data)
  assert.deepEqual(data, { list: 1 })
})

test('path traversal is rejected in render and inside templates', (t) => {
  const root = folder(t, {
    page: `a\n<%~ include(it.name) %>`,
    frame: `<% layout(it.name) %>`,
  })
  fs.writeFileSync(join(root, '..', 'secret.template.html'), 'secret')
  fs.symlinkSync(join(root, '..', 'secret.template.html'), join(root, 'link.template.html'))
  const pages = new Views(root)
  for (const name of ['../secret', '/etc/passwd', 'a\0', '..\\secret', 'x/../../secret', 'link']) {
    assert.throws(() => pages.render(name), { code: 'E_VIEW_REFUSED' }, name)
    assert.equal(pages.has(name), false, name)
    for (const view of ['page', 'frame']) {
      const error = failure(() => pages.render(view, { name }))
      assert.ok(error.cause instanceof Error && 'code' in error.cause)
      assert.equal(error.cause.code, 'E_VIEW_REFUSED')
      assert.equal(error.line, view === 'page' ? 2 : 1)
    }
  }
})

test('a missing view names the expected file and similar views', (t) => {
  const root = folder(t, { account: '', accounts: '', home: '' })
  assert.throws(() => new Views(root).render('acount'), {
    code: 'E_VIEW_MISSING',
    message: `there is no view 'acount': expected the file ${join(root, 'acount.template.html')}; did you mean 'account', 'accounts'?`,
  })
  assert.throws(() => new Views(root).render('zzz'), { message: /there is no view with a similar/ })
})

test('a missing partial points at the line that includes it, a missing layout too', (t) => {
  const pages = views(t, {
    page: `one\ntwo\n<%~ include('partials/rwo') %>\nfour\nfive`,
    'partials/row': '',
    framed: `one\n<% layout('layouts/none') %>\nthree\nfour`,
  })
  const partial = failure(() => pages.render('page'))
  assert.equal(partial.line, 3)
  assert.match(partial.message, /^views\/page\.template\.html:3: there is no view 'partials\/rwo'/)
  assert.match(partial.message, /did you mean 'partials\/row'/)
  assert.equal(failure(() => pages.render('framed')).line, 2)
})

test('a failure in nested templates names the innermost one', (t) => {
  const pages = views(t, {
    page: `<% layout('frame') %>\n<%~ include('outer') %>`,
    outer: `\n\n<%~ include('inner') %>`,
    inner: `\n\n\n<%= it.user.name %>`,
    frame: `<%~ it.body %>`,
    framed: `<% layout('broken-frame') %>`,
    'broken-frame': `\n<%= it.user.name %>`,
    syntax: `<%~ include('bad') %>`,
    bad: `\n\n<% if ( %>`,
  })
  const inner = failure(() => pages.render('page'))
  assert.equal(inner.file, join(pages.folder, 'inner.template.html'))
  assert.equal(inner.line, 4)
  assert.match(inner.message, /^views\/inner\.template\.html:4: /)
  const frame = failure(() => pages.render('framed'))
  assert.match(frame.message, /^views\/broken-frame\.template\.html:2: /)
  const syntax = failure(() => pages.render('syntax'))
  assert.match(syntax.message, /^views\/bad\.template\.html:3: /)
  assert.equal(syntax.code, 'E_TEMPLATE_COMPILE')
})

test('a template that includes itself without end is an error, not a crash', (t) => {
  const pages = views(t, { page: `\n<%~ include('page') %>` })
  // Which function is the one too many, and so what it fails with, is not ours to say.
  const error = failure(() => pages.render('page'))
  assert.ok(error.cause instanceof Error)
})

test('a failing template runs once only', (t) => {
  let calls = 0
  const pages = views(t, { page: `<% it.effect() %>\n<%= it.user.name %>` })
  failure(() => pages.render('page', { effect: () => calls++ }))
  assert.equal(calls, 1)
})

test('has finds files, and remembers the result unless views are reloaded', (t) => {
  const root = folder(t, { home: '' })
  const kept = new Views(root)
  const reloading = new Views(root, { reload: true })
  assert.deepEqual(
    [kept.has('home'), kept.has('late'), reloading.has('late')],
    [true, false, false],
  )
  write(root, 'late', '')
  assert.deepEqual([kept.has('late'), reloading.has('late')], [false, true])
  fs.rmSync(join(root, 'home.template.html'))
  assert.deepEqual([kept.has('home'), reloading.has('home')], [true, false])
})

test('without reload a template is kept after its first render and no file is touched', (t) => {
  const root = folder(t, {
    page: `<% layout('frame') %><%~ include('./part') %>`,
    part: 'one',
    frame: '<%~ it.body %>',
  })
  const pages = new Views(root)
  assert.equal(pages.render('page'), 'one')
  fs.rmSync(root, { recursive: true })
  assert.equal(pages.render('page'), 'one')
})

test('with reload a changed page, partial or layout is picked up', (t) => {
  const root = folder(t, {
    page: `<% layout('frame') %>a<%~ include('part') %>`,
    part: 'b',
    frame: '<%~ it.body %>c',
  })
  const pages = new Views(root, { reload: true })
  assert.equal(pages.render('page'), 'abc')
  write(root, 'part', 'bb')
  assert.equal(pages.render('page'), 'abbc')
  write(root, 'frame', '<%~ it.body %>cc')
  assert.equal(pages.render('page'), 'abbcc')
  fs.rmSync(join(root, 'part.template.html'))
  failure(() => pages.render('page'))
})

test('with reload a file with the same time and size is not read again', (t) => {
  const root = folder(t, { page: 'a' })
  const file = join(root, 'page.template.html')
  const pages = new Views(root, { reload: true })
  fs.utimesSync(file, 1_700_000_000, 1_700_000_000)
  assert.equal(pages.render('page'), 'a')
  fs.writeFileSync(file, 'b')
  fs.utimesSync(file, 1_700_000_000, 1_700_000_000)
  assert.equal(pages.render('page'), 'a')
  fs.utimesSync(file, 1_700_000_001, 1_700_000_001)
  assert.equal(pages.render('page'), 'b')
})

test('check compiles everything and stops at the first broken template', (t) => {
  const good = views(t, { a: `<% /* include('old') */ %><%~ include('b') %>`, b: 'b' })
  good.check()
  assert.match(
    failure(() => views(t, { a: 'a', b: '\n<% if ( %>' }).check()).message,
    /b\.temp.*:2:/,
  )
})

test('check finds a missing partial before the page is rendered', (t) => {
  const pages = views(t, { a: `\n<% if (it.never) { %><%~ include('gone', {}) %><% } %>` })
  const error = failure(() => pages.check())
  assert.equal(error.line, 2)
  assert.match(error.message, /there is no view 'gone'/)
})

test('check with names compiles exactly these', (t) => {
  const pages = views(t, { a: 'a', broken: '<% if ( %>' })
  pages.check(['a'])
  assert.throws(() => pages.check(['errors/500']), { code: 'E_VIEW_MISSING' })
})
