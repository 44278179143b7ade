import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import * as v from 'valibot'
import { Environments } from '../../src/settings/environments.ts'
import { HttpError } from '../../src/http/errors/http-error.ts'
import { file, withFiles } from '../../src/http/input/body-files.ts'
import { Forms } from '../../src/http/middlewares/forms.ts'
import type { MiddlewareObject } from '../../src/http/router/middleware.ts'
import { Server } from '../../src/http/server/server.ts'
import { encode, field, file as part } from '../support/multipart-form.ts'
import { CsrfSite } from './csrf-site.ts'
import type { CsrfVisitor } from './csrf-site.ts'

/** Records that it ran, and marks the response when it is finished. */
class Mark implements MiddlewareObject {
  readonly phase = 'guard'
  readonly #name: string
  readonly #seen: string[]
  isOpen = true

  constructor(name: string, seen: string[]) {
    this.#name = name
    this.#seen = seen
  }

  process: MiddlewareObject['process'] = (request, _response, next) => {
    this.#seen.push(`${this.#name} ${request.method}`)
    if (!this.isOpen) throw new HttpError(401)
    return next()
  }

  finish(_request: unknown, response: { header(name: string, value: string): unknown }): void {
    response.header(`x-${this.#name}`, 'finished')
  }
}

function noteSite(t: TestContext) {
  const site = new CsrfSite(t)
  const seen: string[] = []
  const [members, owners] = [new Mark('members', seen), new Mark('owners', seen)]
  site.server.router
    .put('/notes/:id', ({ params, method, route }) => `${method} ${params.id} ${route}`, {
      middlewares: [members],
    })
    .delete('/notes/:id', ({ params, method }) => `${method} ${params.id}`, {
      middlewares: [members, owners],
    })
    .post('/plain', () => 'POST')
    .put('/both/:a', ({ params }) => `PUT ${params.a}`, { middlewares: [members] })
    .post('/both/:b', ({ params }) => `POST ${params.b}`)
  return { site, seen, members, owners, ada: site.visitor() }
}

async function send(
  visitor: CsrfVisitor,
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const body = new URLSearchParams(fields)
  const { status, text } = await visitor.ask(url, { method: 'POST', headers, body })
  return status === 200 ? text : String(status)
}

test('a form asks for PUT, PATCH or DELETE with the field _method', async (t) => {
  const { ada } = noteSite(t)
  const _token = await ada.token()
  assert.equal(await send(ada, '/notes/7', { _token, _method: 'PUT' }), 'PUT 7 /notes/:id')
  assert.equal(await send(ada, '/notes/7', { _token, _method: 'delete' }), 'DELETE 7')
  assert.equal(await send(ada, '/both/7', { _token }), 'POST 7')
  assert.equal(await send(ada, '/both/7', { _token, _method: 'PUT' }), 'PUT 7')
})

test('a method without a route is a 405, one that is not for forms a 400', async (t) => {
  const { ada } = noteSite(t)
  const _token = await ada.token()
  assert.equal(await send(ada, '/notes/7', { _token }), '405')
  assert.equal(await send(ada, '/notes/7', { _token, _method: 'PATCH' }), '405')
  for (const _method of ['GET', 'HEAD', 'TRACE', '']) {
    assert.equal(await send(ada, '/notes/7', { _token, _method }), '400', _method)
  }
  assert.equal(await send(ada, '/plain', { _token, _method: 'PUT' }), 'POST')
})

test('the token is checked before the field is read', async (t) => {
  const { ada, seen } = noteSite(t)
  const _token = await ada.token()
  assert.equal(await send(ada, '/notes/7', { _method: 'DELETE' }), '403')
  const cross = { 'sec-fetch-site': 'cross-site' }
  assert.equal(await send(ada, '/notes/7', { _token, _method: 'DELETE' }, cross), '403')
  assert.deepEqual(
    seen.filter((line) => line.endsWith('DELETE')),
    [],
  )
})

test('guards that all routes of a path share run before the body is read, others before the handler', async (t) => {
  const { ada, seen, members, owners } = noteSite(t)
  const _token = await ada.token()
  assert.equal(await send(ada, '/notes/7', { _token, _method: 'DELETE' }), 'DELETE 7')
  assert.deepEqual(seen.splice(0), ['members POST', 'owners DELETE'])
  owners.isOpen = false
  assert.equal(await send(ada, '/notes/7', { _token, _method: 'DELETE' }), '401')
  assert.equal(await send(ada, '/notes/7', { _token, _method: 'PUT' }), 'PUT 7 /notes/:id')
  members.isOpen = false
  // A refused visitor learns nothing about the token.
  assert.equal(await send(ada, '/notes/7', { _method: 'PUT' }), '401')
  assert.equal(await send(ada, '/both/7', { _token, _method: 'PUT' }), '401')
  assert.equal(await send(ada, '/both/7', { _token }), 'POST 7')
})

test('only the hooks of the route that was asked for finish the response', async (t) => {
  const { ada } = noteSite(t)
  const _token = await ada.token()
  const finished = async (_method: string) => {
    const body = new URLSearchParams({ _token, _method })
    const { headers } = await ada.ask('/notes/7', { method: 'POST', body })
    return [headers['x-members'], headers['x-owners']]
  }
  assert.deepEqual(await finished('PUT'), ['finished', undefined])
  assert.deepEqual(await finished('DELETE'), ['finished', 'finished'])
})

test('other bodies, other methods and the query ask for nothing', async (t) => {
  const { ada } = noteSite(t)
  const token = await ada.token()
  const headers = { 'x-csrf-token': token }
  const asked = async (method: string, url: string, body?: object): Promise<number> =>
    (await ada.ask(url, { method, headers, ...(body && { body: { ...body } }) })).status
  assert.equal(await asked('POST', '/notes/7', { _method: 'DELETE' }), 405)
  assert.equal(await asked('POST', '/notes/7?_method=DELETE'), 405)
  assert.equal(await asked('GET', '/notes/7?_method=DELETE'), 405)
  const put = await ada.ask('/notes/7', {
    method: 'PUT',
    headers,
    body: new URLSearchParams({ _method: 'DELETE' }),
  })
  assert.equal(put.text, 'PUT 7 /notes/:id')
})

test('a form in parts may ask too, and files are accepted if its route accepts them', async (t) => {
  const { ada, site } = noteSite(t)
  site.server.router
    .put('/receipts/:id', async (request) => `PUT ${(await request.form()).files.length}`, {
      uploads: {},
    })
    .delete('/receipts/:id', () => 'DELETE')
  const _token = await ada.token()
  const post = async (fields: Readonly<Record<string, string | Blob>>) => {
    const data = new FormData()
    for (const [name, value] of Object.entries({ _token, ...fields })) data.append(name, value)
    const encoded = new Response(data)
    const type = encoded.headers.get('content-type') ?? ''
    const body = new Uint8Array(await encoded.arrayBuffer())
    const headers = { 'content-type': type }
    const { status, text } = await ada.ask('/receipts/7', { method: 'POST', headers, body })
    return status === 200 ? text : String(status)
  }
  const file = new Blob(['receipt'])
  assert.equal(await post({ _method: 'PUT', file }), 'PUT 1')
  assert.equal(await post({ _method: 'DELETE' }), 'DELETE')
  assert.equal(await post({ _method: 'DELETE', file }), '415')
  assert.equal(await post({ file, _method: 'PUT' }), '415')
})

test('a form with a body that declares files may ask for another method', async (t) => {
  const { ada, site } = noteSite(t)
  const picture = file({ max: '1 kB', types: ['application/pdf'] })
  const body = withFiles(v.object({ title: v.string() }), { picture })
  site.server.router
    .put('/pictures/:id', ({ input }) => `${input.body.title} ${input.body.picture.size}`, { body })
    .delete('/pictures/:id', () => 'DELETE')
  const headers = { 'content-type': 'multipart/form-data; boundary=B' }
  const form = encode(
    field('_token', await ada.token()),
    field('_method', 'PUT'),
    part('picture', 'a', '%PDF-'),
    field('title', 'Cat'),
  )
  assert.equal(
    (await ada.ask('/pictures/7', { method: 'POST', headers, body: form })).text,
    'Cat 5',
  )
})

test('without Csrf around it a form asks for nothing', async () => {
  const server = new Server({ environment: Environments.Test }).use(new Forms())
  server.router.delete('/notes/:id', () => 'deleted')
  const body = new URLSearchParams({ _method: 'DELETE' })
  assert.equal((await server.inject({ method: 'POST', url: '/notes/7', body })).status, 405)
})
