import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import type { StandardSchema } from '../../base/schema/standard-schema.ts'
import { action } from '../router/action.ts'
import type { Limits } from '../server/engine/limits.ts'
import type { InjectedResponse } from '../server/inject.ts'
import { Server } from '../server/server.ts'

const json = { 'content-type': 'application/json', accept: 'application/json' }

const schemas = {
  valibot: v.object({ title: v.pipe(v.string(), v.nonEmpty('Please enter a title.')) }),
  zod: z.object({ title: z.string().min(1, 'Please enter a title.') }),
  arktype: type({
    title: type('string').narrow((text, context) =>
      text === '' ? context.reject({ message: 'Please enter a title.' }) : true,
    ),
  }),
  'asynchronous valibot': v.objectAsync({
    title: v.pipeAsync(
      v.string(),
      v.checkAsync(async (text) => text !== '', 'Please enter a title.'),
    ),
  }),
} satisfies Record<string, StandardSchema>

for (const [library, schema] of Object.entries(schemas)) {
  test(`a body that fits a schema of ${library} is request.input.body`, async () => {
    const server = new Server({ environment: 'production' })
    server.router.post('/notes', ({ input }) => ({ saved: input }), { body: schema })
    const title = 'Milk'
    const sent = await server.inject({ method: 'POST', url: '/notes', body: { title } })
    assert.deepEqual([sent.status, sent.json()], [200, { saved: { body: { title } } }])
    const form = new URLSearchParams({ title })
    const posted = await server.inject({ method: 'POST', url: '/notes', body: form })
    assert.deepEqual(posted.json(), { saved: { body: { title } } })
  })

  test(`a body that does not fit a schema of ${library} is a problem document`, async () => {
    const server = new Server({ environment: 'production' })
    server.router.post('/notes', () => assert.fail('the handler ran'), { body: schema })
    const answer = await server.inject({
      method: 'POST',
      url: '/notes',
      headers: { ...json, 'x-request-id': 'r1' },
      body: '{"title":""}',
    })
    assert.equal(answer.status, 422)
    assert.equal(answer.headers['content-type'], 'application/problem+json')
    assert.deepEqual(answer.json(), {
      type: 'about:blank',
      title: 'Unprocessable Entity',
      status: 422,
      detail: 'Some values are missing or invalid.',
      instance: '/notes',
      request: 'r1',
      errors: [{ pointer: '#/title', detail: 'Please enter a title.' }],
    })
  })
}

test('the handler gets the output of the schema, not its input', async () => {
  const server = new Server({ environment: 'production' })
  const body = v.object({
    price: v.pipe(v.string(), v.toNumber()),
    remember: v.pipe(
      v.optional(v.string(), ''),
      v.transform((text) => text !== ''),
    ),
  })
  server.router.post('/', ({ input }) => input.body, { body })
  const form = new URLSearchParams({ price: '7.5', remember: 'on', other: 'x' })
  const answer = await server.inject({ method: 'POST', url: '/', body: form })
  assert.deepEqual(answer.json(), { price: 7.5, remember: true })
})

test('a pointer leads into lists and escapes names as RFC 6901 and URIs want it', async () => {
  const server = new Server({ environment: 'production' })
  const body = v.record(v.string(), v.array(v.number('Enter a number.')))
  server.router.post('/', () => '', { body })
  const answer = await server.inject({
    method: 'POST',
    url: '/',
    headers: json,
    body: '{"a/b ~é":[1,"x"]}',
  })
  assert.deepEqual(errorsIn(answer.json()), [
    { pointer: '#/a~1b%20~0%C3%A9/1', detail: 'Enter a number.' },
  ])
  const whole = await server.inject({ method: 'POST', url: '/', headers: json, body: '7' })
  assert.match(JSON.stringify(errorsIn(whole.json())), /"pointer":"#"/)
})

test('a program that sends JSON and accepts anything gets the document, a page is for forms', async () => {
  const server = new Server({ environment: 'production' })
  server.router.post('/', () => '', { body: schemas.valibot })
  for (const accept of ['*/*', 'text/html']) {
    const answer = await server.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/json', accept },
      body: '{}',
    })
    assert.equal(answer.headers['content-type'], 'application/problem+json')
  }
  const body = new URLSearchParams({ title: '' })
  const page = await server.inject({ method: 'POST', url: '/', body })
  assert.equal(page.status, 422)
  assert.match(page.headers['content-type'] ?? '', /^text\/html/)
  assert.match(page.text, /title: Please enter a title\./)
})

for (const [what, status, type, body] of [
  ['text', 415, 'text/plain', 'title=Milk'],
  ['JSON that is cut off', 400, 'application/json', '{"title":'],
  ['no JSON at all', 400, 'application/json', ''],
  ['JSON that is too deep', 400, 'application/json', `${'['.repeat(70)}${']'.repeat(70)}`],
  ['JSON above the limit', 413, 'application/json', `{"title":"${'a'.repeat(2 ** 20)}"}`],
  ['a form above the limit', 413, 'application/x-www-form-urlencoded', 'a'.repeat(2 ** 20 + 1)],
] as const) {
  test(`${what} is a ${status} before any schema runs`, async () => {
    const server = new Server({ environment: 'production' })
    server.router.post('/', () => assert.fail('the handler ran'), { body: schemas.zod })
    const headers = { 'content-type': type }
    assert.equal((await server.inject({ method: 'POST', url: '/', headers, body })).status, status)
  })
}

test('a request without a body has no fields', async () => {
  const server = new Server({ environment: 'production' })
  server.router.post('/', ({ input }) => input.body, {
    body: v.object({ a: v.optional(v.string()) }),
  })
  assert.deepEqual((await server.inject({ method: 'POST', url: '/' })).json(), {})
})

test('fields of a multipart form are texts, and files stay with `uploads`', async () => {
  const server = new Server({ environment: 'production' })
  server.router.post('/', ({ input, files }) => ({ ...input.body, files: files.length }), {
    body: schemas.zod,
    uploads: { files: 1 },
  })
  const parts = [
    'Content-Disposition: form-data; name="title"\r\n\r\nMilk',
    'Content-Disposition: form-data; name="photo"; filename="a.txt"\r\n\r\nx',
  ]
  const answer = await server.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: `${parts.map((part) => `--x\r\n${part}\r\n`).join('')}--x--\r\n`,
  })
  assert.deepEqual(answer.json(), { title: 'Milk', files: 1 })
})

const everything = v.record(v.string(), v.unknown())

test('a name that ends in [] is a list, any other the last value, whatever was sent', async () => {
  const server = new Server({ environment: 'production' })
  server.router.post('/', ({ input }) => input, { body: everything, query: everything })
  const fields = 'tag[]=a&one=1&one=2&tag[]=b&_token=t&_method=PUT'
  const answer = await server.inject({
    method: 'POST',
    url: '/?single[]=x&last=1&last=2',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: fields,
  })
  assert.deepEqual(answer.json(), {
    body: { tag: ['a', 'b'], one: '2' },
    query: { single: ['x'], last: '2' },
  })
})

test('no name of a field, a parameter or a JSON member reaches a prototype', async () => {
  const server = new Server({ environment: 'production' })
  const prototypes: unknown[] = []
  // Copies as a careless schema does; valibot itself leaves such names out.
  const loose = v.pipe(
    v.unknown(),
    v.transform((value): object => Object.assign({}, value)),
  )
  server.router.post(
    '/',
    ({ input }) => {
      prototypes.push(Object.getPrototypeOf(input.body), Object.getPrototypeOf(input.query))
    },
    { body: loose, query: loose },
  )
  const url = '/?__proto__[]=a&__proto__=b'
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = '__proto__[]=a&__proto__=b&constructor=c'
  await server.inject({ method: 'POST', url, headers: form, body })
  await server.inject({ method: 'POST', url, headers: json, body: '{"__proto__":{"admin":true}}' })
  assert.deepEqual(prototypes, Array(4).fill(Object.prototype))
  assert.equal(Reflect.get({}, 'admin'), undefined)
})

test('a page with an invalid query is a 422 page; programs get the parameter', async () => {
  const server = new Server({ environment: 'production' })
  const query = z.object({ page: z.coerce.number('Enter a number.').default(1) })
  server.router.get('/notes', ({ input }) => ({ page: input.query.page }), { query })
  assert.deepEqual((await server.inject({ url: '/notes' })).json(), { page: 1 })
  assert.deepEqual((await server.inject({ url: '/notes?page=2' })).json(), { page: 2 })
  const referer = { referer: 'http://localhost/notes', host: 'localhost' }
  const page = await server.inject({ url: '/notes?page=x', headers: referer })
  assert.equal(page.status, 422)
  assert.match(page.text, /page: Enter a number\./)
  const headers = { accept: 'application/json' }
  const answer = await server.inject({ url: '/notes?page=x', headers })
  assert.deepEqual(errorsIn(answer.json()), [{ parameter: 'page', detail: 'Enter a number.' }])
})

test('an asynchronous schema of a query is awaited', async () => {
  const server = new Server({ environment: 'production' })
  const query = v.pipeAsync(
    v.object({ a: v.string() }),
    v.transformAsync(async ({ a }) => a),
  )
  server.router.get('/', ({ input }) => input.query, { query })
  assert.equal((await server.inject({ url: '/?a=b' })).text, 'b')
})

test('what is not declared is not there', async () => {
  const server = new Server({ environment: 'production' })
  server.router.post('/', (request) => ({ input: request.input }))
  server.router.post('/query', (request) => ({ input: request.input }), { query: everything })
  assert.deepEqual((await server.inject({ method: 'POST', url: '/' })).json(), { input: {} })
  const answer = await server.inject({ method: 'POST', url: '/query' })
  assert.deepEqual(answer.json(), { input: { query: {} } })
})

test('a list of ten thousand mistakes is a response of a hundred, with short messages', async () => {
  const server = new Server({ environment: 'production' })
  const body = v.array(
    v.pipe(
      v.string(),
      v.check(
        () => false,
        ({ input }) => `no: ${input}`,
      ),
    ),
  )
  server.router.post('/', () => '', { body })
  const sent = JSON.stringify(Array.from({ length: 10_000 }, () => 'x'.repeat(50)))
  const many = await server.inject({ method: 'POST', url: '/', headers: json, body: sent })
  assert.equal(errorsIn(many.json()).length, 100)
  assert.match(many.text, /"Some values are missing or invalid: the first 100 of 10000 errors\."/)
  const long = JSON.stringify(['x'.repeat(100_000)])
  const one = await server.inject({ method: 'POST', url: '/', headers: json, body: long })
  assert.ok(one.text.length < 1000)
  const named = new Server({ environment: 'production' })
  named.router.post('/', () => '', { body: v.record(v.string(), v.array(v.number('Wrong.'))) })
  const name = JSON.stringify({ ['x'.repeat(100_000)]: Array(100).fill('x') })
  const answer = await named.inject({ method: 'POST', url: '/', headers: json, body: name })
  assert.ok(answer.text.length < 30_000)
})

test('a megabyte of wrong values is a 413 before any schema sees it', async () => {
  let checked = 0
  const countChecks = (): boolean => (checked += 1) > 0
  const body = v.pipe(v.unknown(), v.check(countChecks), v.array(v.string()))
  const send = (values: number, limits: Partial<Limits> = {}): Promise<InjectedResponse> => {
    const server = new Server({ environment: 'production', reporter: null })
    server.configure({ limits }).router.post('/', () => 'taken', { body })
    const list = `[${Array(values - 1)
      .fill('1')
      .join(',')}]`
    return server.inject({ method: 'POST', url: '/', headers: json, body: list })
  }
  const answer = await send(500_000)
  const error = 'the request body holds more than 20000 JSON values'
  assert.deepEqual([answer.status, answer.json(), checked], [413, { error }, 0])
  assert.deepEqual([(await send(20_001)).status, checked], [413, 0])
  assert.deepEqual([(await send(20_000)).status, checked], [422, 1])
  assert.equal((await send(4, { jsonValues: 3 })).status, 413)
})

test('an action brings its input to the route; what both declare is an error', async () => {
  const server = new Server({ environment: 'production' })
  const add = action({ body: schemas.valibot }, ({ input }) => input.body)
  server.router.post('/notes', add)
  const answer = await server.inject({ method: 'POST', url: '/notes', body: { title: 'Milk' } })
  assert.deepEqual(answer.json(), { title: 'Milk' })
  const { router } = new Server()
  assert.throws(() => router.post('/notes', add, { body: schemas.zod }), /declares "body"/)
})

test('a body on a route that has none, and something that is no schema, are errors at once', () => {
  const { router } = new Server()
  assert.throws(() => router.get('/', () => '', { body: schemas.zod }), /GET requests have none/)
  const notASchema: StandardSchema = Object.create({})
  assert.throws(() => router.post('/', () => '', { body: notASchema }), /is not a schema/)
  const form = '/notes/:id/edit'
  assert.throws(() => router.post('/notes', () => '', { form }), /parameters that the route/)
})

test('the schemas and problems of a route stay on it, for documentation', () => {
  const { router } = new Server()
  router.post(
    '/notes',
    action({ body: schemas.zod }, () => ''),
    { query: everything },
  )
  const [route] = router.all()
  assert.deepEqual(route?.input, { body: schemas.zod, query: everything })
})

test('request.validate does the same by hand', async () => {
  const server = new Server({ environment: 'production' })
  server.router.post('/', async (request) => ({
    ...(await request.validate(schemas.arktype)),
    ...(await request.validate(v.object({ page: v.string() }), 'query')),
  }))
  const title = 'Milk'
  const good = await server.inject({ method: 'POST', url: '/?page=2', body: { title } })
  assert.deepEqual(good.json(), { title, page: '2' })
  const wrong = await server.inject({ method: 'POST', url: '/', body: { title: '' } })
  assert.equal(wrong.status, 422)
  assert.deepEqual(errorsIn(wrong.json()), [
    { pointer: '#/title', detail: 'Please enter a title.' },
  ])
})

function errorsIn(body: unknown): readonly unknown[] {
  assert.ok(typeof body === 'object' && body !== null && 'errors' in body)
  assert.ok(Array.isArray(body.errors))
  return body.errors
}
