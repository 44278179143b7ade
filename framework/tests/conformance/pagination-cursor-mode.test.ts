import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { Pagination } from '../../src/orm/pagination/pagination.ts'
import type { DatabaseResourceOptions } from '../../src/http/response/database-resource.ts'
import { itemsOf, listServer, plantPeople } from './listed-people.ts'
import type { ListAnswer, ListServer } from './listed-people.ts'

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

/** The target of the next link in a `Link` header. */
function nextOf({ link }: ListAnswer): string | null {
  return /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1] ?? null
}

for (const start of ['/people?cursor=', '/people?cursor']) {
  test(`${start} starts a walk: rows, limit and next, and no total`, async (t) => {
    const { get } = await people(t, 25)
    const answer = await get(start)
    assert.equal(answer.status, 200)
    assert.match(answer.type ?? '', /^application\/json(;|$)/)
    assert.equal(answer.total, null)
    const next = Pagination.encode(['Bob', 10])
    assert.equal(answer.link, `</people?limit=10&cursor=${next}>; rel="next"`)
    assert.deepEqual(answer.body, { items: itemsOf(answer), limit: 10, next })
    assert.deepEqual(Object.keys(answer.body ?? {}), ['items', 'limit', 'next'])
  })
}

test('a cursor is the base64url of its values, order first and key last', async (t) => {
  const { get } = await people(t, 12)
  const { body } = await get('/people?cursor=&limit=4&q=bob')
  assert.deepEqual(body !== null && typeof body === 'object' && 'next' in body && body.next, null)
  const middle = await get('/people?cursor=WyJCb2IiLDJd&limit=1')
  assert.deepEqual(
    itemsOf(middle).map(({ id }) => id),
    [6],
  )
})

test('following the links visits every row once, in order, and ends without a link', async (t) => {
  const { get } = await people(t, 45)
  const seen: unknown[] = []
  let path: string | null = '/people?cursor=&limit=7'
  let last: ListAnswer | null = null
  while (path !== null) {
    last = await get(path)
    seen.push(...itemsOf(last).map(({ id }) => id))
    path = nextOf(last)
  }
  const whole = itemsOf(await get('/people?limit=100')).map(({ id }) => id)
  assert.deepEqual(seen, whole)
  assert.equal(last?.link, null)
  assert.deepEqual(last?.body, { items: last && itemsOf(last), limit: 7, next: null })
})

test('rows inserted or deleted meanwhile do not disturb the others', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await plantPeople(database, 12)
  const { get } = await listServer(t, database)
  const first = await get('/repository?cursor=&limit=5')
  await database.run({ sql: 'DELETE FROM people WHERE id IN (2, 6)', parameters: [] })
  await database.run({
    sql: "INSERT INTO people (id, name, badge) VALUES (-1, 'Eve', 0), (90, 'Eve', 0)",
    parameters: [],
  })
  const second = await get(nextOf(first) ?? '')
  const third = await get(nextOf(second) ?? '')
  assert.deepEqual(
    [...itemsOf(second), ...itemsOf(third)].map(({ id }) => id),
    [7, 8, 9, 10, 11, 12, 90],
  )
})

test('only a next link is sent, and it keeps limit and filters in place', async (t) => {
  const { get } = await people(t, 48)
  const first = await get('/people?limit=5&cursor=&q=ada')
  const second = await get(nextOf(first) ?? '')
  assert.equal(
    second.link,
    `</people?limit=5&q=ada&cursor=${Pagination.encode(['Ada', 37])}>; rel="next"`,
  )
  assert.doesNotMatch(second.link ?? '', /prev/)
})

test('with both parameters the cursor wins, and the page is removed from the link', async (t) => {
  const { get } = await people(t, 25)
  const answer = await get('/people?page=3&cursor=&limit=500')
  assert.equal(itemsOf(answer).length, 25)
  assert.equal(answer.total, null)
  const { link } = await get('/people?page=3&cursor=&limit=2')
  assert.match(link ?? '', /^<\/people\?limit=2&cursor=[\w-]+>; rel="next"$/)
})

test('one step of a walk is one statement without a count', async (t) => {
  const { get, statements } = await people(t, 25)
  await get('/people?cursor=')
  assert.equal(statements.length, 1)
  assert.doesNotMatch(statements[0] ?? '', /COUNT/i)
})

for (const [what, cursor] of [
  ['no base64url', '!!!'],
  ['no JSON', Buffer.from('nothing').toString('base64url')],
  ['no list', Buffer.from('{"a":1}').toString('base64url')],
  ['too few values', Pagination.encode(['Bob'])],
  ['too many values', Pagination.encode(['Bob', 1, 2])],
  ['a value of another type', Pagination.encode([1, 'Bob'])],
  ['null', Buffer.from('["Bob",null]').toString('base64url')],
  ['a nested list', Buffer.from('["Bob",[1]]').toString('base64url')],
  ['SQL', "1'; DROP TABLE people; --"],
] as const) {
  test(`a cursor that contains ${what} is refused before any query`, async (t) => {
    const { get, statements, reported } = await people(t, 5)
    const { status, body, link, total } = await get(`/people?cursor=${encodeURIComponent(cursor)}`)
    assert.equal(status, 400)
    assert.ok(typeof body === 'object' && body !== null && 'error' in body)
    assert.match(String(body.error), /cursor/)
    assert.deepEqual(Object.keys(body), ['error'])
    assert.deepEqual([link, total], [null, null])
    assert.deepEqual(statements, [])
    assert.deepEqual(reported, [])
  })
}

test('signed cursors are valid only for the filters they were made for', async (t) => {
  const signed = createSecretKey(randomBytes(32))
  const { get } = await people(t, 48, { pagination: { signed } })
  const first = await get('/people?cursor=&limit=5&q=ada')
  const next = nextOf(first) ?? ''
  assert.equal((await get(next)).status, 200)
  assert.equal((await get(next.replace('q=ada', 'q=bob'))).status, 400)
  assert.equal((await get(`/people?cursor=${Pagination.encode(['Ada', 1])}`)).status, 400)
})
