import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import { Server } from '../server/server.ts'
import { action } from './action.ts'
import { Router } from './router.ts'

const every = {
  index: () => 'index',
  create: () => 'create',
  store: () => 'store',
  show: () => 'show',
  edit: () => 'edit',
  update: () => 'update',
  destroy: () => 'destroy',
}

function listed(router: Router): string[] {
  return router.routes().map(({ method, pattern, name }) => `${method} ${pattern} ${name}`)
}

test('a resource has the seven actions, with names', () => {
  assert.deepEqual(listed(new Router().resource('notes', every)), [
    'GET /notes notes.index',
    'GET /notes/create notes.create',
    'POST /notes notes.store',
    'GET /notes/:id notes.show',
    'GET /notes/:id/edit notes.edit',
    'PUT /notes/:id notes.update',
    'PATCH /notes/:id notes.update',
    'DELETE /notes/:id notes.destroy',
  ])
})

test('only, except and missing handlers leave actions out', () => {
  const only = new Router().resource('notes', every, { only: ['show', 'index'] })
  assert.deepEqual(listed(only), ['GET /notes notes.index', 'GET /notes/:id notes.show'])
  const { index, destroy } = every
  const given = new Router().resource('notes', { index, destroy }, { except: ['destroy'] })
  assert.deepEqual(listed(given), ['GET /notes notes.index'])
})

test('an action that is listed without a handler, or does not exist, is an error', () => {
  const { index } = every
  const wrong = { code: 'E_INVALID_ARGUMENT' }
  assert.throws(() => new Router().resource('notes', { index }, { only: ['show'] }), {
    ...wrong,
    message: /"notes": "show" has no handler/,
  })
  const untyped: object = { indeks: index }
  assert.throws(() => new Router().resource('notes', untyped), wrong)
  for (const path of ['', '/notes', 'notes/']) {
    assert.throws(() => new Router().resource(path, every), wrong, path)
  }
})

test('a resource below another, in a group, with its own parameter', () => {
  const router = new Router().group('/api', (api) =>
    api.resource(
      'projects/:project/notes',
      { show: ({ params }) => params.project.repeat(params.note) },
      { param: ':note<int>', middlewares: [function own(): void {}] },
    ),
  )
  assert.deepEqual(listed(router), [
    'GET /api/projects/:project/notes/:note<int> projects.notes.show',
  ])
  assert.deepEqual(router.routes()[0]?.middlewares, ['own'])
})

test('an invalid form goes back to the page of its resource, unless its action names another', () => {
  const formOf = (router: Router, method: string): string | null | undefined =>
    router
      .all()
      .find((route) => route.method === method)
      ?.form?.({ id: 7 })
  const router = new Router().group('/app', (group) => group.resource('notes', every))
  assert.equal(formOf(router, 'POST'), '/app/notes/create')
  assert.equal(formOf(router, 'PATCH'), '/app/notes/7/edit')
  assert.equal(formOf(router, 'DELETE'), undefined)
  const { index, store } = every
  assert.equal(formOf(new Router().resource('notes', { index, store }), 'POST'), undefined)
  const own = action({ form: '/notes' }, () => 'stored')
  assert.equal(formOf(new Router().resource('notes', { ...every, store: own }), 'POST'), '/notes')
})

test('its routes answer, and create is not an id', async () => {
  const server = new Server({ environment: Environments.Test })
  server.router.resource('notes', every)
  const ask = async (method: string, url: string) => (await server.inject({ method, url })).text
  assert.equal(await ask('GET', '/notes/create'), 'create')
  assert.equal(await ask('GET', '/notes/7'), 'show')
  assert.equal(await ask('PATCH', '/notes/7'), 'update')
  assert.equal(await ask('DELETE', '/notes/7'), 'destroy')
})
