import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { ApplicationKey } from '../../settings/application-key.ts'
import { connect } from '../../database/connect.ts'
import type { Database } from '../../database/surface.ts'
import { entity } from '../../orm/entity/entity.ts'
import {
  boolean,
  bytes,
  date,
  decimal,
  enumeration,
  integer,
  key,
  text,
  timestamp,
} from '../../orm/entity/column.ts'
import { belongsTo } from '../../orm/relations/relation.ts'
import { Repository } from '../../orm/repository.ts'
import { Operators } from '../../database/sql/plan/operators.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import type { InputError } from '../errors/invalid-input.ts'
import { openApiDocument } from '../../openapi/open-api-document.ts'
import { DatabaseResource } from '../response/database-resource.ts'
import { Server } from '../server/server.ts'
import { list } from './list.ts'
import {
  atLeast,
  atMost,
  contains,
  custom,
  equal,
  oneOf,
  present,
  range,
  startsWith,
} from './list-filter.ts'

const Shelves = entity('shelves', { id: key.integer(), room: text() })
const Books = entity('books', {
  id: key.integer(),
  title: text(),
  kind: text(),
  price: decimal({ precision: 8, scale: 2 }),
  pages: integer(),
  printed: date(),
  addedAt: timestamp(),
  lent: boolean(),
  note: text().nullable(),
  shelf: belongsTo(() => Shelves),
})

const BookList = list(Books, {
  filter: {
    q: contains('title'),
    title: startsWith(),
    kind: oneOf(),
    shelf: equal('shelfId'),
    price: range(),
    printed: range(),
    addedAt: range(),
    pages: atLeast(),
    maxPages: atMost('pages'),
    lent: equal(),
    note: present(),
    thick: (books) => books.filter('pages', Operators.Greater, 250),
    room: custom(Books, enumeration(['Hall', 'Attic']), (books, room) =>
      books.has('shelf', (shelf) => shelf.filter('room', '=', room)),
    ),
    over: custom(Books, integer(), (books, pages) => books.filter('pages', '>', pages)),
    since: custom(Books, timestamp(), (books, time) => books.filter('addedAt', '>=', time)),
    named: custom(Books, text(), (books, name) => books.filter('title', '=', name), {
      maxLength: 7,
    }),
  },
  sort: ['title', 'price', 'pages'],
  with: ['shelf'],
})

async function library(t: TestContext): Promise<{ server: Server; database: Database }> {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await database.run(sql`create table shelves (id integer primary key, room text not null)`)
  await database.run(sql`create table books (id integer primary key, title text not null,
    kind text not null, price decimal(8, 2) not null, pages integer not null, printed text not null,
    added_at text not null, lent integer not null, note text, shelf_id integer not null)`)
  await new Repository(Shelves, database).insertMany([{ room: 'Hall' }, { room: 'Attic' }])
  const books = new Repository(Books, database)
  await books.insertMany(
    Array.from({ length: 30 }, (_, at) => ({
      title: `Book ${String(at + 1).padStart(2, '0')}`,
      kind: ['novel', 'poems', 'plays'][at % 3] ?? '',
      price: `${at}.50`,
      pages: (at + 1) * 10,
      printed: `2026-01-${String(at + 1).padStart(2, '0')}`,
      addedAt: new Date(Date.UTC(2026, 0, at + 1, 12)),
      lent: at % 2 === 0,
      note: at < 5 ? `note ${at}` : null,
      shelfId: (at % 2) + 1,
    })),
  )
  const server = new Server({ environment: 'production' })
  server.router.get('/books', ({ input }, response) => response.database.list(books, input.query), {
    query: BookList,
    errors: 'json',
  })
  return { server, database }
}

interface Body {
  readonly items: readonly { readonly id: number; readonly shelf: unknown }[]
  readonly total: number
  readonly next?: string | null
}

async function ids(server: Server, query: string): Promise<readonly number[]> {
  const answer = await server.inject({ url: `/books?limit=100&${query}` })
  assert.equal(answer.status, 200, answer.text)
  const body: Body = JSON.parse(answer.text)
  return body.items.map(({ id }) => id)
}

async function errors(server: Server, query: string): Promise<readonly InputError[]> {
  const answer = await server.inject({ url: `/books?${query}` })
  assert.equal(answer.status, 400, answer.text)
  assert.equal(answer.headers['content-type'], 'application/problem+json')
  const body: { readonly errors: readonly InputError[] } = JSON.parse(answer.text)
  return body.errors
}

test('a list without parameters has its first rows in its first order, with relations', async (t) => {
  const { server } = await library(t)
  const answer = await server.inject({ url: '/books' })
  const { items, ...rest } = JSON.parse(answer.text)
  assert.deepEqual(rest, { page: 1, pages: 3, limit: 10, total: 30 })
  assert.deepEqual(items[0].shelf, { id: 1, room: 'Hall' })
  assert.equal(answer.headers['link'], '</books?limit=10&page=2>; rel="next"')
  assert.equal(answer.headers['x-total-count'], '30')
})

test('each filter narrows the list', async (t) => {
  const { server } = await library(t)
  const expected: Readonly<Record<string, readonly number[]>> = {
    'q=OOK+2': [20, 21, 22, 23, 24, 25, 26, 27, 28, 29],
    'q=%25': [],
    'title=book+3': [30],
    'kind[]=poems&kind[]=plays&pages=280': [29, 30],
    'shelf=2&pages=270': [28, 30],
    'price_min=27.5': [28, 29, 30],
    'price_max=1.5': [1, 2],
    'price_min=3&price_max=5.50': [4, 5, 6],
    'printed_min=2026-01-29': [29, 30],
    'addedAt_max=2026-01-02': [1, 2],
    'addedAt_min=2026-01-30T12:00': [30],
    'maxPages=20': [1, 2],
    'lent=false&maxPages=50': [2, 4],
    'lent=1&maxPages=30': [1, 3],
    'note=1': [1, 2, 3, 4, 5],
    'note=0&maxPages=60': [6],
    'thick=1': [26, 27, 28, 29, 30],
    'thick=0&maxPages=10': [1],
    'room=Attic&pages=270': [28, 30],
    'over=270': [28, 29, 30],
    'over=0&maxPages=20': [1, 2],
    'since=2026-01-29': [29, 30],
    'named=Book+07&room=': [7],
    'q=&title=&kind[]=&price_min=&lent=&thick=&sort=&maxPages=10': [1],
  }
  for (const [query, found] of Object.entries(expected)) {
    assert.deepEqual(await ids(server, query), found, query)
  }
})

test('an order goes both ways', async (t) => {
  const { server } = await library(t)
  assert.deepEqual((await ids(server, 'sort=-price')).slice(0, 2), [30, 29])
  assert.deepEqual((await ids(server, 'sort=pages')).slice(0, 2), [1, 2])
})

test('everything that is wrong is a 400 at once, and nothing of it is repeated', async (t) => {
  const { server } = await library(t)
  const query =
    'q[]=x&kind=novel&price_min=ten&price_max=1.999&pages=1e3&printed_min=2026-02-30&addedAt_max=now&lent=maybe&room=Cellar&over=many&named=Book+007&sort=note&secret=s3cret'
  assert.deepEqual(await errors(server, query), [
    {
      parameter: 'secret',
      detail:
        'is not a parameter of this list; it takes q, title, kind, shelf, price_min, price_max, printed_min, printed_max, addedAt_min, addedAt_max, pages, maxPages, lent, note, thick, room, over, since, named, sort, limit, page, cursor.',
    },
    { parameter: 'q', detail: 'is sent once, as q=….' },
    { parameter: 'kind', detail: 'is a list: send each value as kind[]=….' },
    {
      parameter: 'price_min',
      detail: 'must be a decimal number with at most 6 digits before the point and 2 after it.',
    },
    {
      parameter: 'price_max',
      detail: 'must be a decimal number with at most 6 digits before the point and 2 after it.',
    },
    { parameter: 'printed_min', detail: 'must be a day such as 2026-01-31.' },
    {
      parameter: 'addedAt_max',
      detail: 'must be a day or a time, such as 2026-01-31 or 2026-01-31T12:00:00Z.',
    },
    { parameter: 'pages', detail: 'must be a whole number.' },
    { parameter: 'lent', detail: 'must be true or false.' },
    { parameter: 'room', detail: 'must be one of Hall, Attic.' },
    { parameter: 'over', detail: 'must be a whole number.' },
    { parameter: 'named', detail: 'must have at most 7 characters.' },
    { parameter: 'sort', detail: 'must be one of title, -title, price, -price, pages, -pages.' },
  ])
  assert.match((await errors(server, `q=${'x'.repeat(101)}`))[0]?.detail ?? '', /at most 100/)
  assert.equal((await errors(server, 'title=a%00')).length, 1)
  const many = Array.from({ length: 101 }, (_, at) => `kind[]=${at}`).join('&')
  assert.match((await errors(server, many))[0]?.detail ?? '', /more than 100/)
})

test('a page ignores parameters that its list does not have, and JSON refuses them', async (t) => {
  const { database } = await library(t)
  const books = new Repository(Books, database)
  const server = new Server({ environment: 'production' })
  const query = list(Books, { filter: { kind: oneOf() }, sort: ['title'], ignore: ['tab'] })
  server.router.get(
    '/declared',
    async ({ input }, response) => {
      const { links } = await response.database.list(books, input.query)
      return { links, fields: input.query.fields }
    },
    { query },
  )
  server.router.get('/validated', async (request, response) => {
    const read = await request.validate(query, 'query')
    const { links } = await response.database.list(books, read)
    return { links, fields: read.fields }
  })
  server.router.get('/api', () => null, { query, errors: 'json' })
  const sent = 'utm_source=mail&kind[]=novel&kind[]=plays&fbclid=x%20y&tab=2&tag[]=a&limit=5'
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  for (const path of ['/declared', '/validated']) {
    const url = `${path}?${sent}`
    const page = await server.inject({ url, headers: { accept: browser } })
    assert.equal(page.status, 200, page.text)
    const { links, fields } = JSON.parse(page.text)
    assert.deepEqual(fields, { 'kind[]': ['novel', 'plays'], limit: '5' })
    const own = `${path}?kind%5B%5D=novel&kind%5B%5D=plays&tab=2&limit=5`
    const { next, byPage, byCursor, numbers } = links
    assert.deepEqual(
      [next, byPage, byCursor, numbers[1].href],
      [`${own}&page=2`, `${own}&page=1`, `${own}&cursor=`, `${own}&page=2`],
    )
    // What the list does have is checked for a page too.
    const wrong = await server.inject({
      url: `${path}?sort=age&fbclid=1`,
      headers: { accept: browser },
    })
    assert.equal(wrong.status, 400)
    assert.doesNotMatch(wrong.text, /fbclid/)
    for (const accept of ['application/json', '*/*', 'application/json, text/html', '']) {
      assert.equal((await server.inject({ url, headers: { accept } })).status, 400, accept)
    }
  }
  const api = await server.inject({ url: `/api?${sent}`, headers: { accept: browser } })
  assert.equal(api.status, 400)
})

test('a page shows which filters were sent, and typed values', async () => {
  const query = await BookList['~standard'].validate({
    q: ' oak ',
    kind: ['novel'],
    price_min: '3',
    addedAt_max: '2026-01-02',
    thick: 'on',
    over: '20',
    cursor: '',
    limit: '500',
  })
  assert.ok(query.issues === undefined)
  const { filters, fields, sort, limit, page, cursor } = query.value
  assert.equal(filters.q, 'oak')
  assert.deepEqual(filters.kind, ['novel'])
  assert.deepEqual(filters.price, { min: '3', max: null })
  assert.deepEqual(filters.addedAt.max?.toISOString(), '2026-01-02T23:59:59.999Z')
  assert.deepEqual([filters.thick, filters.note, filters.pages], [true, null, null])
  assert.deepEqual([filters.over, filters.room], [20, null])
  assert.deepEqual([sort, limit, page, cursor], ['title', 100, null, ''])
  assert.deepEqual(Object.keys(fields), [
    'q',
    'kind[]',
    'price_min',
    'addedAt_max',
    'thick',
    'over',
    'limit',
  ])
})

test('the value of a filter of its own is kept in links and signed in cursors', async (t) => {
  const { server, database } = await library(t)
  const applicationKey = new ApplicationKey(createSecretKey(Buffer.alloc(32, 7)))
  server.resources({ database: new DatabaseResource(database, { key: applicationKey }) })
  const { headers } = await server.inject({ url: '/books?over=20&limit=5' })
  assert.equal(headers['link'], '</books?over=20&limit=5&page=2>; rel="next"')
  const first = JSON.parse((await server.inject({ url: '/books?over=20&cursor=' })).text)
  for (const [over, status] of Object.entries({ 20: 200, 21: 400 })) {
    const url = `/books?over=${over}&cursor=${first.next}`
    assert.equal((await server.inject({ url })).status, status, over)
  }
})

test('days, and times without an offset, are in the time zone of the request', async () => {
  const read = async (texts: object): Promise<readonly (string | undefined)[]> => {
    const libraryOptions = { zoneOf: () => 'Europe/Berlin' }
    const query = await BookList['~standard'].validate(texts, { libraryOptions })
    assert.ok(query.issues === undefined)
    const { min, max } = query.value.filters.addedAt
    return [query.value.timeZone, min?.toISOString(), max?.toISOString()]
  }
  const zone = 'Europe/Berlin'
  assert.deepEqual(
    await read({ addedAt_min: '2026-10-25T02:30', addedAt_max: '2026-10-25T02:30' }),
    [zone, '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'],
  )
  assert.deepEqual(
    await read({ addedAt_min: '2026-01-31T12:00:00.5Z', addedAt_max: '2026-01-31T12:00:00.25+02' }),
    [zone, '2026-01-31T12:00:00.500Z', '2026-01-31T10:00:00.250Z'],
  )
  // What databases do not have is cut off.
  assert.deepEqual(await read({ addedAt_min: '0001-01-01', addedAt_max: '9999-12-31' }), [
    zone,
    '0001-01-01T00:00:00.000Z',
    '9999-12-31T22:59:59.999Z',
  ])
})

test('named orders, a default order, choices and parameters of others', async () => {
  const named = list(Books, {
    filter: { kind: equal('kind', { choices: ['novel', 'poems'] }) },
    sort: { cheapest: 'price', thickest: ['-pages', 'title'] },
    sortParameter: 'order',
    defaultSort: 'thickest',
    ignore: ['tab'],
  })
  const { validate } = named['~standard']
  const read = await validate({ order: 'cheapest', tab: '2', kind: 'poems' })
  assert.ok(read.issues === undefined)
  assert.deepEqual(
    [read.value.sort, read.value.fields],
    ['cheapest', { order: 'cheapest', kind: 'poems' }],
  )
  const usual = await validate({})
  assert.ok(usual.issues === undefined)
  assert.equal(usual.value.sort, 'thickest')
  const wrong = await validate({ order: 'constructor', kind: 'plays' })
  assert.deepEqual(
    wrong.issues?.map(({ message }) => message),
    ['must be one of novel, poems.', 'must be one of cheapest, thickest.'],
  )
})

test('a declaration that cannot work is refused when it is made', () => {
  const Files = entity('files', { id: key.integer(), name: text(), data: bytes(), size: integer() })
  const refused: readonly (readonly [() => unknown, string, RegExp])[] = [
    [() => list(Files, { filter: { data: equal() } }), 'E_LIST', /takes data, which is bytes/],
    [
      () => list(Files, { filter: { by: custom(Files, bytes(), (files) => files) } }),
      'E_LIST',
      /takes by, which is bytes/,
    ],
    [() => list(Files, { sort: ['data'] }), 'E_LIST', /sorts by data/],
    [() => list(Files, { limit: 0 }), 'E_LIST', /limit must be/],
    [() => list(Files, { remember: -1 }), 'E_LIST', /remember must be/],
    [() => list(Files, { filter: { page: equal('size') } }), 'E_LIST', /page is used twice/],
    [
      () => list(Files, { filter: { size: range(), size_min: equal('size') } }),
      'E_LIST',
      /size_min is used twice/,
    ],
    // @ts-expect-error the types refuse it as well
    [() => list(Files, { filter: { q: contains('size') } }), 'E_LIST', /is not a text/],
    // @ts-expect-error the types refuse it as well
    [() => list(Files, { filter: { q: contains('nome') } }), 'E_COLUMN', /no column "nome"/],
    // @ts-expect-error the types refuse it as well
    [() => list(Files, { sort: ['name'], defaultSort: 'size' }), 'E_LIST', /defaultSort is size/],
  ]
  for (const [declare, code, message] of refused) assert.throws(declare, { code, message })
})

test('a restriction of the list and one of the request both apply', async (t) => {
  const { database } = await library(t)
  const books = new Repository(Books, database)
  const novels = list(Books, {
    where: (all) => all.filter('kind', Operators.Equal, 'novel'),
    sort: ['title'],
  })
  const server = new Server({ environment: 'production' })
  server.router.get(
    '/novels',
    ({ input }, response) =>
      response.database.list(books, input.query, {
        scope: (all) => all.filter('pages', Operators.Less, 80),
      }),
    { query: novels },
  )
  const answer = await server.inject({ url: '/novels' })
  assert.deepEqual(
    JSON.parse(answer.text).items.map(({ id }: { id: number }) => id),
    [1, 4, 7],
  )
})

test('the parameters of a route and the body of its pages come from its list', async () => {
  const Poems = entity('poems', {
    id: key.integer(),
    title: text(),
    price: decimal({ precision: 6, scale: 2 }),
    readAt: timestamp().nullable(),
  })
  const poems = list(Poems, {
    filter: {
      q: contains('title'),
      title: oneOf('title', { choices: ['a', 'b'] }),
      price: range(),
      near: custom(Poems, enumeration(['hall', 'attic']), (all) => all),
      words: custom(Poems, integer(), (all) => all),
    },
    sort: ['title'],
    maxLimit: 50,
  })
  const server = new Server()
  server.router.get('/poems', () => null, {
    query: poems,
    openapi: { responses: { 200: poems.body } },
  })
  const { document, notes } = await openApiDocument(server, { title: 'Poems', version: '1' })
  assert.deepEqual(notes, [])
  const { parameters, responses } = document.paths['/poems']?.['get'] ?? assert.fail()
  const price = { type: 'string', pattern: '^-?[0-9]{1,4}(\\.[0-9]{1,2})?$' }
  assert.deepEqual(
    parameters?.map(({ name, required, schema }) =>
      JSON.stringify([name, required, { ...schema, description: undefined }]),
    ),
    [
      ['q', false, { type: 'string', maxLength: 100 }],
      [
        'title[]',
        false,
        { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 100 },
      ],
      ['price_min', false, price],
      ['price_max', false, price],
      ['near', false, { type: 'string', enum: ['hall', 'attic'] }],
      ['words', false, { type: 'integer' }],
      ['sort', false, { type: 'string', enum: ['title', '-title'], default: 'title' }],
      ['limit', false, { type: 'integer', minimum: 1, maximum: 50, default: 10 }],
      ['page', false, { type: 'integer', minimum: 1 }],
      ['cursor', false, { type: 'string' }],
    ].map((parameter) => JSON.stringify(parameter)),
  )
  assert.deepEqual(Object.keys(responses), ['200', '400'])
  const text200 = JSON.stringify(responses['200'])
  assert.match(text200, /"readAt":\{"type":\["string","null"\],"format":"date-time"\}/)
})
