import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plantTree } from '../../../tests/package/planted-tree.ts'
import { Environments } from '../../settings/environments.ts'
import { Views } from '../../base/templates/views.ts'
import { resourcePatterns } from '../router/resource.ts'
import { Server } from '../server/server.ts'
import { defineRoutes } from './define-routes.ts'

const route = defineRoutes({
  home: '/',
  'notes.show': '/notes/:id<int>',
  archive: '/archive/:year/:month?',
  files: '/files/*path',
  named: '/straße/:name',
})

test('an address is the pattern with its values, encoded', () => {
  assert.equal(route('home'), '/')
  assert.equal(route('notes.show', { id: 7 }), '/notes/7')
  assert.equal(
    route('named', { name: 'a/b ?#%"(é)' }),
    '/stra%C3%9Fe/a%2Fb%20%3F%23%25%22%28%C3%A9%29',
  )
})

test('optional ends may be left out, and a catch-all keeps its slashes', () => {
  assert.equal(route('archive', { year: 2026 }), '/archive/2026')
  assert.equal(route('archive', { year: 2026, month: '07' }), '/archive/2026/07')
  assert.equal(route('files', { path: 'a b/c?.txt' }), '/files/a%20b/c%3F.txt')
})

test('the query is the third argument: lists repeat their name, null is left out', () => {
  const query = { q: 'a b&c', 'tag[]': ['x', 'y'], page: 2, all: true, none: null, no: undefined }
  assert.equal(route('home', {}, query), '/?q=a+b%26c&tag%5B%5D=x&tag%5B%5D=y&page=2&all=true')
  assert.equal(route('notes.show', { id: 7 }, {}), '/notes/7')
})

/** As a view or JavaScript calls it. */
const untyped = (...given: readonly unknown[]): unknown => Reflect.apply(route, undefined, given)

test('what the compiler would refuse is an error for views too', () => {
  assert.throws(() => untyped('notes.shoe', { id: 7 }), {
    code: 'E_ROUTE_NAME',
    message: /"notes\.shoe"; did you mean "notes\.show"/,
  })
  const cases = [
    ['notes.show'],
    ['notes.show', { id: 7, tab: 'x' }],
    ['notes.show', { id: 1.5 }],
    ['notes.show', { id: null }],
    ['notes.show', 7],
    ['archive', { month: 7 }],
    ['home', {}, { q: {} }],
  ]
  for (const given of cases) {
    assert.throws(() => untyped(...given), { code: 'E_ROUTE_PARAMETER' }, JSON.stringify(given))
  }
})

test('no value can leave its segment or lead to another site', () => {
  for (const name of ['', '.', '..']) {
    assert.throws(() => route('named', { name }), { code: 'E_ROUTE_PARAMETER' }, name)
  }
  for (const path of ['', '../x', 'a//b', '/etc', 'a/..', 'a/']) {
    assert.throws(() => route('files', { path }), { code: 'E_ROUTE_PARAMETER' }, path)
  }
  const everything = defineRoutes({ all: '/*path' })
  assert.throws(() => everything('all', { path: '/evil.example' }), { code: 'E_ROUTE_PARAMETER' })
})

test('no error quotes a value', () => {
  for (const given of [
    ['notes.show', { id: 'hunter2' }],
    ['files', { path: 'hunter2/..' }],
  ]) {
    assert.throws(
      () => untyped(...given),
      (error: unknown) => error instanceof Error && !error.message.includes('hunter2'),
    )
  }
})

test('every address leads to its route with the values it was made of', async () => {
  const server = new Server({ environment: Environments.Test }).urls(route)
  for (const [name, pattern] of Object.entries(route.patterns)) {
    server.router.get(pattern, ({ params }) => ({ name, params }))
  }
  const values = { name: 'a/b ?#%"(é)\'*!', path: "x y/'z'" }
  for (const [url, name, params] of [
    [route('notes.show', { id: 7 }), 'notes.show', { id: 7 }],
    [route('archive', { year: 2026 }), 'archive', { year: '2026' }],
    [route('files', { path: values.path }), 'files', { path: values.path }],
    [route('named', { name: values.name }), 'named', { name: values.name }],
  ] as const) {
    assert.deepEqual((await server.inject({ url })).json(), { name, params })
  }
})

test('a name without a route, or of a route with another pattern, stops the server from starting', async () => {
  const named = defineRoutes({ 'notes.show': '/notes/:id' })
  const missing = new Server({ environment: Environments.Test }).urls(named)
  missing.router.get('/notes/:id<int>', () => '')
  await assert.rejects(async () => missing.inject({ url: '/' }), {
    code: 'E_ROUTE_NAME',
    message: /"notes\.show" stands for \/notes\/:id, which no route has/,
  })
  const other = new Server({ environment: Environments.Test }).urls(named)
  other.router.get('/notes/:id', () => '').get('/n/:id', () => '', { name: 'notes.show' })
  await assert.rejects(async () => other.inject({ url: '/' }), {
    code: 'E_ROUTE_NAME',
    message: /GET \/n\/:id is named "notes\.show"/,
  })
})

test('views call route(), also beside a variable of that name elsewhere', async (t) => {
  const folder = plantTree(t, {
    'list.template.html': `<a href="<%= route('notes.show', { id: it.id }, { q: '"' }) %>"><%~ include('part') %></a>`,
    'part.template.html': `<% const route = 'own' %><%= route %>`,
    'shadow.template.html': `<% for (const route of ['a']) { %><%= route %><% } %><%= route('home') %>`,
  })
  const server = new Server({ environment: Environments.Test })
    .configure({ views: new Views(folder) })
    .urls(route)
  for (const [, pattern] of Object.entries(route.patterns)) server.router.get(pattern, () => '')
  server.router.get('/views/:name', ({ params }, response) => response.view(params.name, { id: 7 }))
  const shown = async (name: string) => (await server.inject({ url: `/views/${name}` })).text
  assert.equal(await shown('list'), '<a href="/notes/7?q=%22">own</a>')
  assert.equal(await shown('shadow'), 'a/')
})

test('a view with an unknown name stops the server from starting, except in development', async (t) => {
  const folder = plantTree(t, {
    'a.template.html': `<% const route = (name) => name %><%= route('own') %>`,
    'b.template.html': `\n<%= route('notes.shoe', { id: 7 }) %>`,
  })
  const serve = (environment: Environments): Server => {
    const server = new Server({ environment, reporter: null })
      .configure({ views: new Views(folder) })
      .urls(defineRoutes({ 'notes.show': '/notes/:id' }))
    server.router.get('/notes/:id', (_request, response) => response.view('b'))
    return server
  }
  await assert.rejects(async () => serve(Environments.Production).inject({ url: '/notes/7' }), {
    code: 'E_TEMPLATE_COMPILE',
    message:
      /b\.template\.html:2: there is no route named 'notes\.shoe'; did you mean 'notes\.show'/,
  })
  const shown = await serve(Environments.Development).inject({ url: '/notes/7' })
  assert.equal(shown.status, 500)
})

test('the patterns of a resource are named like its routes', () => {
  assert.deepEqual(
    resourcePatterns('projects/:project/notes', { param: ':id<int>', only: ['index', 'edit'] }),
    {
      'projects.notes.index': '/projects/:project/notes',
      'projects.notes.edit': '/projects/:project/notes/:id<int>/edit',
    },
  )
  const notes = defineRoutes(resourcePatterns('notes'))
  assert.equal(notes('notes.create'), '/notes/create')
  assert.equal(notes('notes.edit', { id: 'x' }), '/notes/x/edit')
})
