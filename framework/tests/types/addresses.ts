// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import { createSecretKey } from 'node:crypto'
import { ApplicationKey } from '../../src/public/framework.ts'
import { defineRoutes, resourcePatterns, Router, SignedUrls } from '../../src/public/http.ts'

const route = defineRoutes({
  home: '/',
  user: '/users/:id<int>/:tab?',
  archive: '/archive/:year?',
  files: '/files/*path',
  slug: '/posts/:slug',
  ...resourcePatterns('notes', { param: ':id<int>', only: ['index', 'edit'] }),
  ...resourcePatterns('projects/:project/tasks'),
})

const address: string = route('home')
route('home', {}, { page: 2, q: undefined, 'tag[]': ['a'] })
route('user', { id: 7 })
route('user', { id: 7, tab: 'x' }, { page: 2 })
route('archive')
route('archive', { year: 2026 })
route('files', { path: 'a/b' })
route('slug', { slug: 7 })
route('notes.edit', { id: 7 })
route('projects.tasks.show', { project: 'x', id: 'y' })

// @ts-expect-error there is no route of that name
route('nowhere')
declare const anyName: string
// @ts-expect-error any text may be no name
route(anyName)
// @ts-expect-error an optional parameter is a text or a number
route('archive', { year: { from: 2026 } })
// @ts-expect-error a pattern is no name
route('/archive')
// @ts-expect-error the action is not among `only`
route('notes.show', { id: 7 })
// @ts-expect-error the parameters are missing
route('user')
// @ts-expect-error a required parameter is missing
route('user', { tab: 'x' })
// @ts-expect-error the pattern has no such parameter
route('user', { id: 7, page: 2 })
// @ts-expect-error a number is expected
route('user', { id: '7' })
// @ts-expect-error the pattern has no parameters
route('home', { id: 7 })
// @ts-expect-error a nested object is not a query
route('home', {}, { filter: { a: 1 } })
// @ts-expect-error the parameter of the resource above it
route('projects.tasks.show', { id: 'y' })

// The patterns type the handlers too.
new Router().get(route.patterns.user, ({ params }) => params.id.toFixed() + (params.tab ?? ''))
new Router().get(route.patterns['notes.edit'], ({ params }) => params.id.toFixed())

const key = new ApplicationKey(createSecretKey(Buffer.alloc(32)))
const urls = new SignedUrls({ route, key, url: 'https://shop.example' })
urls.signedUrl('user', { id: 7 }, { expires: 60, query: { v: 1 } })
urls.signedUrl('home', {})
// @ts-expect-error there is no route of that name
urls.signedUrl('nowhere', {})
// @ts-expect-error a required parameter is missing
urls.signedUrl('user', {})
// @ts-expect-error the pattern has no parameters
urls.signedUrl('home', { id: 7 })
// @ts-expect-error a number is expected
urls.signedUrl('user', { id: '7' })
// @ts-expect-error a lifetime is in seconds
urls.signedUrl('home', {}, { expires: '1 h' })

new Router().resource('notes', {
  index: ({ params }) => Object.keys(params),
  show: ({ params }) => params.id.toUpperCase(),
  // @ts-expect-error the list has no parameter
  store: ({ params }) => params.id,
})
new Router().resource(
  'projects/:project/notes',
  {
    show: ({ params }) => params.project.repeat(params.note),
    // @ts-expect-error a number has no such method
    edit: ({ params }) => params.note.toUpperCase(),
  },
  { param: ':note<int>' },
)
// @ts-expect-error there is no such action
new Router().resource('notes', { indeks: () => '' })
// @ts-expect-error there is no such action
new Router().resource('notes', { index: () => '' }, { only: ['list'] })
void address
