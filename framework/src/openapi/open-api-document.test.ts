import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { describedApi } from '../../tests/support/described-api.ts'
import { Authentication } from '../accounts/guards/authentication.ts'
import { SessionGuard } from '../accounts/guards/session-guard.ts'
import { DatabaseResource } from '../http/response/database-resource.ts'
import { Server } from '../http/server/server.ts'
import { openApiDocument } from './open-api-document.ts'
import type { OpenApiDocument } from './open-api-document.ts'
import type { Operation } from './operation.ts'

const info = { title: 'Shop', version: '1.0.0' }
const { document, notes } = await openApiDocument(describedApi(), info)

function operation(method: string, path: string, within: OpenApiDocument = document): Operation {
  return within.paths[path]?.[method] ?? assert.fail(`${method} ${path} is not listed`)
}

function parametersOf(method: string, path: string): unknown[] {
  const { parameters = [] } = operation(method, path)
  return parameters.map(({ name, in: place, required, schema }) => [name, place, required, schema])
}

test('routes with declared input, problems or JSON errors are listed, pages and forms are not', () => {
  assert.deepEqual(Object.keys(document.paths), [
    '/api/dates/{day}',
    '/api/dates/{day}/{page}',
    '/api/either',
    '/api/files/{path}',
    '/api/letters',
    '/api/photos',
    '/api/silent',
    '/api/sizes/{name}',
    '/api/things/{id}',
    '/api/valibot',
    '/api/zod',
    '/orders',
    '/orders/{id}',
  ])
})

test('the option openapi lists any route, and false leaves one out', async () => {
  const server = new Server()
  const body = v.object({ name: v.string() })
  server.router.get('/page', () => '', { openapi: {} })
  server.router.post('/form', () => '', { body, form: '/form', openapi: { summary: 'A form' } })
  server.router.post('/hidden', () => '', { body, openapi: false })
  const { document: listed } = await openApiDocument(server, info)
  assert.deepEqual(Object.keys(listed.paths), ['/form', '/page'])
  const { requestBody, responses } = operation('post', '/form', listed)
  assert.deepEqual(Object.keys(requestBody?.content ?? {}), [
    'application/json',
    'application/x-www-form-urlencoded',
  ])
  assert.ok('303' in responses)
})

test('parameters have the types of the pattern, and those of the query their schemas', () => {
  const integer = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
  assert.deepEqual(parametersOf('get', '/orders/{id}'), [['id', 'path', true, integer]])
  const pattern = '^(?:[a-z]{2,8})$'
  assert.deepEqual(parametersOf('put', '/api/sizes/{name}'), [
    ['name', 'path', true, { type: 'string', pattern }],
  ])
  assert.deepEqual(parametersOf('get', '/orders'), [
    ['page', 'query', false, { type: 'string', pattern: '^\\d+$', default: '1' }],
    ['tag[]', 'query', false, { type: 'array', items: { type: 'string' }, default: [] }],
  ])
})

test('a route that says that it paginates has the parameters of a page, with the limits of its server', async () => {
  const server = new Server()
  const query = v.object({ shelf: v.optional(v.string()), limit: v.optional(v.string()) })
  server.router.get('/books', () => '', { openapi: { paginated: 'page' } })
  server.router.get('/feed', () => '', { query, openapi: { paginated: 'cursor' } })
  const described = async (): Promise<OpenApiDocument> =>
    (await openApiDocument(server, info)).document
  const place = (path: string, within: OpenApiDocument): unknown[] =>
    (operation('get', path, within).parameters ?? []).map(({ name, required, schema }) => {
      const { description: _text, ...rest } = schema
      return [name, required, rest]
    })
  const usual = await described()
  const limit = { type: 'integer', minimum: 1, maximum: 100, default: 10 }
  assert.deepEqual(place('/books', usual), [
    ['limit', false, limit],
    ['page', false, { type: 'integer', minimum: 1 }],
    ['cursor', false, { type: 'string' }],
  ])
  assert.deepEqual(Object.keys(operation('get', '/books', usual).responses), ['400', '2XX'])
  // A parameter that the route declares itself stays as it is.
  assert.deepEqual(place('/feed', usual), [
    ['shelf', false, { type: 'string' }],
    ['limit', false, { type: 'string' }],
    ['cursor', false, { type: 'string' }],
  ])
  server.resources({ database: new DatabaseResource(null, { limit: 20, cap: 50 }) })
  const [own] = place('/books', await described())
  assert.deepEqual(own, ['limit', false, { ...limit, maximum: 50, default: 20 }])
})

test('paths that differ only in the names of parameters are one path', () => {
  const methods = Object.keys(document.paths['/api/things/{id}'] ?? {})
  assert.deepEqual(methods, ['get', 'post'])
  assert.deepEqual(
    operation('post', '/api/things/{id}').parameters?.map(({ name }) => name),
    ['id'],
  )
})

test('guards become security schemes, with their scopes, and the CSRF token beside the session', () => {
  assert.deepEqual(operation('post', '/orders').security, [
    { bearer: ['orders:write'] },
    { session: [], csrf: [] },
  ])
  assert.deepEqual(operation('get', '/orders/{id}').security, [{ session: [] }])
  assert.deepEqual(operation('get', '/orders').security, [])
  assert.deepEqual(operation('post', '/api/zod').security, [{ session: [], csrf: [] }])
  const { session, bearer } = document.components.securitySchemes
  assert.deepEqual([session?.['in'], session?.['name']], ['cookie', 'sid'])
  assert.deepEqual(bearer, { type: 'http', scheme: 'bearer' })
})

test('without Csrf in the stack no token is asked for', async () => {
  const server = new Server()
  const guard = new SessionGuard({ load: async () => null })
  const options = { middlewares: [new Authentication(guard)], openapi: {} }
  server.router.post('/notes', () => '', options)
  const { document: plain } = await openApiDocument(server, info)
  assert.deepEqual(operation('post', '/notes', plain).security, [{ session: [] }])
})

test('files of a body are properties with their size and types, and no JSON has them', () => {
  const { required, content } = operation('post', '/api/letters').requestBody ?? assert.fail()
  assert.deepEqual([required, Object.keys(content)], [true, ['multipart/form-data']])
  const { schema, encoding } = content['multipart/form-data'] ?? assert.fail()
  const binary = { type: 'string', format: 'binary' }
  assert.deepEqual(schema['required'], ['title', 'letter'])
  assert.deepEqual(schema['properties'], {
    title: { type: 'string' },
    letter: {
      ...binary,
      contentMediaType: 'application/pdf',
      description: 'At most 2000000 bytes of application/pdf.',
    },
    photos: {
      type: 'array',
      minItems: 0,
      maxItems: 3,
      items: {
        ...binary,
        contentMediaType: 'application/octet-stream',
        description: 'At most 500 bytes of image/png, image/gif.',
      },
    },
  })
  assert.deepEqual(encoding, {
    letter: { contentType: 'application/pdf' },
    photos: { contentType: 'image/png, image/gif' },
  })
  const optional = operation('put', '/api/letters').requestBody?.content ?? {}
  assert.deepEqual(Object.keys(optional), ['application/json', 'multipart/form-data'])
})

test('every refusal of a route is listed', () => {
  const statuses = (method: string, path: string): string[] =>
    Object.keys(operation(method, path).responses)
  const input = ['400', '401', '403', '409', '413', '415', '422', '429']
  assert.deepEqual(statuses('post', '/orders'), ['201', ...input])
  assert.deepEqual(statuses('get', '/orders/{id}'), ['400', '401', '403', '404', '406', '2XX'])
})

test('problems are named schemas, with their type, title, status and members', () => {
  const { OutOfStock } = document.components.schemas
  assert.deepEqual(OutOfStock?.['allOf'], [
    { $ref: '#/components/schemas/Problem' },
    {
      type: 'object',
      properties: {
        type: { const: 'https://shop.example/problems/out-of-stock' },
        title: { const: 'Out of stock' },
        status: { const: 409 },
      },
      required: ['type', 'title', 'status'],
    },
    {
      type: 'object',
      properties: {
        left: {
          type: 'integer',
          minimum: Number.MIN_SAFE_INTEGER,
          maximum: Number.MAX_SAFE_INTEGER,
        },
      },
      required: ['left'],
    },
  ])
  const response = operation('put', '/api/sizes/{name}').responses['409'] ?? {}
  assert.deepEqual(response, {
    description: 'Out of stock.',
    content: {
      'application/problem+json': { schema: { $ref: '#/components/schemas/OutOfStock' } },
    },
  })
})

test('files make a form of the body, and the limits are said', () => {
  const { requestBody } = operation('post', '/api/photos')
  const text = 'At most 2 files, each at most 1000 bytes, of image/png, image/*.'
  assert.equal(requestBody?.description, text)
  const form = requestBody?.content['multipart/form-data']?.schema
  const file = { type: 'string', contentMediaType: 'image/png' }
  assert.deepEqual(form?.['additionalProperties'], file)
})

test('recursive schemas refer to components of the document', () => {
  for (const library of ['valibot', 'zod']) {
    const { requestBody } = operation('post', `/api/${library}`)
    const text = JSON.stringify(requestBody?.content['application/json']?.schema)
    const [, name = ''] = /"#\/components\/schemas\/(\w+)"/.exec(text) ?? []
    const found = JSON.stringify(document.components.schemas[name])
    assert.match(found, new RegExp(`"children".*"#/components/schemas/${name}"`), library)
  }
})

test('what cannot be described is told', () => {
  assert.deepEqual(notes, [
    'PURGE /api/things is not listed: OpenAPI has no such method',
    'the body of POST /api/silent is not described: schemas of silent do not implement Standard JSON Schema',
  ])
})

test('the order of declaration does not change the document', async () => {
  const paths = ['/b', '/a', '/a/:id<int>', '/a/:name']
  const described = async (order: readonly string[]): Promise<string> => {
    const server = new Server()
    for (const path of order) server.router.get(path, () => '', { openapi: {} })
    return JSON.stringify(await openApiDocument(server, info))
  }
  assert.equal(await described(paths), await described(paths.toReversed()))
})
