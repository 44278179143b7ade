import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import type { DatabaseResourceOptions } from '../../src/http/response/database-resource.ts'
import { itemsOf, listServer, plantPeople } from './listed-people.ts'
import type { ListServer } from './listed-people.ts'

async function people(
  t: TestContext,
  count: number,
  options?: DatabaseResourceOptions,
): Promise<ListServer & { readonly statements: string[] }> {
  const statements: string[] = []
  const database = await connect('sqlite::memory:', { log: ({ sql }) => statements.push(sql) })
  t.after(() => database.close())
  await plantPeople(database, count)
  const server = await listServer(t, database, options)
  statements.length = 0
  return { ...server, statements }
}

test('without parameters the first ten rows are returned, with the total and the next link', async (t) => {
  const { get } = await people(t, 25)
  const answer = await get('/people')
  assert.equal(answer.status, 200)
  assert.match(answer.type ?? '', /^application\/json(;|$)/)
  assert.equal(answer.total, '25')
  assert.equal(answer.link, '</people?limit=10&page=2>; rel="next"')
  const items = itemsOf(answer)
  assert.equal(items.length, 10)
  assert.deepEqual(answer.body, { items, page: 1, pages: 3, limit: 10, total: 25 })
  assert.deepEqual(Object.keys(answer.body ?? {}), ['items', 'page', 'pages', 'limit', 'total'])
})

test('rows are in the order of the selection, then by key', async (t) => {
  const { get } = await people(t, 6)
  const items = itemsOf(await get('/people'))
  assert.deepEqual(
    items.map(({ id }) => id),
    [1, 5, 2, 6, 3, 4],
  )
})

test('a 64-bit number is a string in JSON, with every digit', async (t) => {
  const { get } = await people(t, 1)
  assert.deepEqual(itemsOf(await get('/people')), [
    { id: 1, name: 'Ada', badge: '9007199254740993' },
  ])
})

test('a page in the middle links to both neighbours, and keeps the filters of the request', async (t) => {
  const { get } = await people(t, 48)
  const answer = await get('/people?limit=5&page=2&q=ada')
  assert.equal(answer.total, '12')
  assert.equal(
    answer.link,
    '</people?limit=5&q=ada&page=3>; rel="next", </people?limit=5&q=ada&page=1>; rel="prev"',
  )
})

test('the last page has only a previous link', async (t) => {
  const { get } = await people(t, 25)
  const answer = await get('/people?page=3')
  assert.equal(itemsOf(answer).length, 5)
  assert.equal(answer.link, '</people?limit=10&page=2>; rel="prev"')
})

test('beyond the end there are no rows, and the previous link is the last page', async (t) => {
  const { get } = await people(t, 25)
  const answer = await get('/people?page=90')
  assert.equal(answer.status, 200)
  assert.equal(answer.total, '25')
  assert.equal(answer.link, '</people?limit=10&page=3>; rel="prev"')
  assert.deepEqual(answer.body, { items: [], page: 90, pages: 3, limit: 10, total: 25 })
})

for (const page of ['9007199254740993', '9'.repeat(300)]) {
  test(`page ${page.slice(0, 20)} is an empty page beyond the end`, async (t) => {
    const { get, reported } = await people(t, 25)
    const answer = await get(`/people?page=${page}`)
    assert.equal(answer.status, 200)
    assert.deepEqual(itemsOf(answer), [])
    assert.equal(answer.link, '</people?limit=10&page=3>; rel="prev"')
    assert.deepEqual(reported, [])
  })
}

test('an empty list has no pages and no links', async (t) => {
  const { get } = await people(t, 0)
  const answer = await get('/people')
  assert.equal(answer.total, '0')
  assert.equal(answer.link, null)
  assert.deepEqual(answer.body, { items: [], page: 1, pages: 0, limit: 10, total: 0 })
})

for (const [query, limit, page] of [
  ['limit=0', 10, 1],
  ['limit=-1', 10, 1],
  ['limit=abc', 10, 1],
  ['limit=2.5', 10, 1],
  ['limit=101', 100, 1],
  ['limit=7&page=x', 7, 1],
  ['page=0', 10, 1],
  ['page=-3', 10, 1],
] as const) {
  test(`?${query} is ${limit} rows of page ${page}, also in the link`, async (t) => {
    const { get } = await people(t, 120)
    const { body, link } = await get(`/people?${query}`)
    assert.ok(typeof body === 'object' && body !== null && 'limit' in body && 'page' in body)
    assert.deepEqual([body.limit, body.page], [limit, page])
    assert.equal(link, `</people?limit=${limit}&page=2>; rel="next"`)
  })
}

test('a resource can have its own cap and limit', async (t) => {
  const { get } = await people(t, 25, { cap: 7, limit: 3 })
  assert.equal(itemsOf(await get('/people')).length, 3)
  assert.equal(itemsOf(await get('/people?limit=50')).length, 7)
})

test('one page takes two statements, the rows and one COUNT', async (t) => {
  const { get, statements } = await people(t, 25)
  await get('/people?page=2')
  assert.equal(statements.length, 2)
  assert.equal(statements.filter((sql) => sql.includes('COUNT(*)')).length, 1)
})

test('counting can be turned off', async (t) => {
  const { get, statements } = await people(t, 25, { pagination: { count: 'none' } })
  const answer = await get('/people?page=2')
  assert.equal(answer.total, null)
  assert.equal(
    answer.link,
    '</people?limit=10&page=3>; rel="next", </people?limit=10&page=1>; rel="prev"',
  )
  const items = itemsOf(answer)
  assert.deepEqual(answer.body, { items, page: 2, pages: null, limit: 10, total: null })
  assert.equal(statements.length, 1)
  assert.equal((await get('/people?page=3')).link, '</people?limit=10&page=2>; rel="prev"')
})

test('other parameters keep their spelling and repetitions', async (t) => {
  const { get } = await people(t, 25)
  const { link } = await get('/people?tag=a%20b&tag=c%2Bd&flag&page=1')
  assert.equal(link, '</people?tag=a%20b&tag=c%2Bd&flag&limit=10&page=2>; rel="next"')
})

test('a HEAD request has the same headers and no body', async (t) => {
  const { get } = await people(t, 25)
  const { status, total, link, body } = await get('/people', { method: 'HEAD' })
  assert.deepEqual([status, total, body], [200, '25', null])
  assert.equal(link, '</people?limit=10&page=2>; rel="next"')
})

test('a repository is listed like an entity', async (t) => {
  const { get } = await people(t, 12)
  const answer = await get('/repository?page=2')
  assert.deepEqual(
    itemsOf(answer).map(({ id }) => id),
    [11, 12],
  )
  assert.equal(answer.link, '</repository?limit=10&page=1>; rel="prev"')
})

test('concurrent requests each get their own list and links', async (t) => {
  const { get } = await people(t, 60)
  const pages = Array.from({ length: 12 }, (_, index) => 1 + (index % 6))
  const answers = await Promise.all(pages.map((page) => get(`/repository?page=${page}`)))
  for (const [index, answer] of answers.entries()) {
    const page = pages[index] ?? 0
    assert.equal(itemsOf(answer)[0]?.['id'], (page - 1) * 10 + 1)
    assert.equal(answer.link?.includes(`page=${page + 1}>`) === true, page < 6)
  }
})
