import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { ApplicationKey } from '../../settings/application-key.ts'
import { connect } from '../../database/connect.ts'
import { entity } from '../../orm/entity/entity.ts'
import { integer, key, text } from '../../orm/entity/column.ts'
import { Repository } from '../../orm/repository.ts'
import type { AnySelection } from '../../orm/selection.ts'
import { Operators } from '../../database/sql/plan/operators.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import type { Database } from '../../database/surface.ts'
import { DatabaseResource } from '../response/database-resource.ts'
import { Server } from '../server/server.ts'
import { list } from './list.ts'
import type { List } from './list.ts'
import type { ListQuery } from './list-query.ts'
import { contains, equal } from './list-filter.ts'

const Notes = entity('notes', { id: key.integer(), title: text(), folder: integer() })

const declaration = {
  filter: { folder: equal(), q: contains('title') },
  sort: ['title', 'folder'],
} as const

const [old, current] = ['a', 'b'].map((letter) => createSecretKey(Buffer.from(letter.repeat(32))))
assert.ok(old !== undefined && current !== undefined)

interface Site {
  readonly database: Database
  readonly get: (query: string) => Promise<{
    status: number
    body: Body
    link: string
    total: string | undefined
    text: string
  }>
}

interface Body {
  readonly items: readonly { readonly id: number }[]
  readonly next?: string | null
  readonly total?: number
  readonly detail?: string
}

type NoteList = List<typeof Notes>

async function database(t: TestContext): Promise<Database> {
  const opened = await connect('sqlite::memory:')
  t.after(() => opened.close())
  await opened.run(
    sql`create table notes (id integer primary key, title text not null, folder integer not null)`,
  )
  const notes = Array.from({ length: 20 }, (_, at) => ({ title: `Note ${at}`, folder: at % 2 }))
  await new Repository(Notes, opened).insertMany(notes)
  return opened
}

function site(opened: Database, notes: NoteList, applicationKey?: ApplicationKey): Site {
  const server = new Server({ environment: 'production' })
  server.resources({
    database: new DatabaseResource(opened, applicationKey && { key: applicationKey }),
  })
  server.router.get(
    '/notes',
    ({ input }, response) => {
      const query: ListQuery<typeof Notes> = input.query
      return response.database.list(Notes, query)
    },
    { query: notes, errors: 'json' },
  )
  return {
    database: opened,
    async get(query) {
      const { status, text: body, headers } = await server.inject({ url: `/notes?${query}` })
      const link = /<([^>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1] ?? ''
      const total = headers['x-total-count']
      return { status, text: body, body: JSON.parse(body), link, total }
    },
  }
}

test('a signed cursor fits only the filters, the order and the limit that it was made with', async (t) => {
  const opened = await database(t)
  const { get } = site(opened, list(Notes, declaration), new ApplicationKey(current))
  const first = await get('folder=1&limit=4&cursor=')
  const cursor = first.body.next ?? ''
  assert.match(cursor, /\./)
  const second = await get(`folder=1&limit=4&cursor=${cursor}`)
  assert.deepEqual([second.status, second.body.items.length], [200, 4])
  for (const query of ['folder=0&limit=4', 'limit=4', 'folder=1&limit=5', 'folder=1&limit=4&q=1']) {
    const { status, text: body } = await get(`${query}&cursor=${cursor}`)
    assert.equal(status, 400, query)
    assert.match(body, /its signature does not match/)
  }
  assert.equal((await get(`folder=1&limit=4&sort=-title&cursor=${cursor}`)).status, 400)
})

test('a signed cursor fits a list whose restrictions depend on the time', async (t) => {
  const opened = await database(t)
  let now = 0
  const after = (notes: AnySelection<typeof Notes>): unknown =>
    notes.filter('id', Operators.Greater, (now += 1) - 1000)
  const server = new Server({ environment: 'production' })
  server.resources({ database: new DatabaseResource(opened, { key: new ApplicationKey(current) }) })
  const notes = list(Notes, { ...declaration, filter: { recent: after }, where: after })
  for (const path of ['/notes', '/folders/:folder/notes'] as const) {
    server.router.get(
      path,
      ({ input }, response) => response.database.list(Notes, input.query, { scope: after }),
      { query: notes, errors: 'json' },
    )
  }
  const read = async (url: string): Promise<{ status: number; body: Body }> => {
    const { status, text: body } = await server.inject({ url })
    return { status, body: JSON.parse(body) }
  }
  for (const query of ['limit=8', 'limit=8&recent=1']) {
    const seen: number[] = []
    let cursor: string | null | undefined = ''
    while (typeof cursor === 'string') {
      const { status, body } = await read(`/notes?${query}&cursor=${cursor}`)
      assert.equal(status, 200, body.detail)
      seen.push(...body.items.map(({ id }) => id))
      cursor = body.next
    }
    assert.equal(new Set(seen).size, 20)
    assert.equal(seen.length, 20)
  }
  // What the client sent is signed: its filters, and the address of the list.
  const { body } = await read('/folders/1/notes?limit=8&cursor=')
  const place = `limit=8&cursor=${body.next}`
  assert.equal((await read(`/folders/1/notes?${place}`)).status, 200)
  for (const url of ['/folders/2/notes?', '/notes?', '/folders/1/notes?recent=1&']) {
    assert.equal((await read(`${url}${place}`)).status, 400, url)
  }
})

test('a cursor of a former key is valid until the key is forgotten', async (t) => {
  const opened = await database(t)
  const notes = list(Notes, declaration)
  const { body } = await site(opened, notes, new ApplicationKey(old)).get('cursor=')
  const query = `cursor=${body.next}`
  assert.equal(
    (await site(opened, notes, new ApplicationKey(current, [old])).get(query)).status,
    200,
  )
  assert.equal((await site(opened, notes, new ApplicationKey(current)).get(query)).status, 400)
})

test('without a key cursors are not signed', async (t) => {
  const opened = await database(t)
  const { get } = site(opened, list(Notes, declaration))
  const { body } = await get('cursor=&folder=1')
  assert.doesNotMatch(body.next ?? '', /\./)
})

test('a remembered total is counted once, and only for the same filters', async (t) => {
  const opened = await database(t)
  const notes = list(Notes, { ...declaration, remember: 60 })
  const { get } = site(opened, notes, new ApplicationKey(current))
  const first = await get('limit=5')
  assert.equal(first.total, '20')
  assert.match(first.link, /[?&]total=20\.\d+\.[\w-]{43}&page=2$/)
  await new Repository(Notes, opened).insertMany([{ title: 'Late', folder: 0 }])
  const query = first.link.slice('/notes?'.length)
  const second = await get(query)
  assert.deepEqual([second.status, second.total], [200, '20'])
  assert.match(second.link, /page=3$/)
  assert.equal(second.link.match(/total=/g)?.length, 1)
  // Another filter, and a total that somebody changed, are counted.
  assert.equal((await get(`${query}&folder=1`)).total, '10')
  assert.equal((await get(query.replace('total=20', 'total=99'))).total, '21')
  // The last page knows better.
  const last = await get(query.replace('page=2', 'page=5'))
  assert.deepEqual([last.total, last.body.items.length, last.link], ['21', 1, ''])
})

test('a capped total stands beside a cursor if the list asks for it', async (t) => {
  const opened = await database(t)
  const capped = site(opened, list(Notes, { ...declaration, count: 'capped', cap: 15 }))
  const { body, total } = await capped.get('cursor=&limit=5')
  assert.deepEqual([body.total, total, body.items.length], [15, '15', 5])
  assert.equal((await capped.get('cursor=&folder=1')).body.total, 10)
  const plain = await site(opened, list(Notes, declaration)).get('cursor=')
  assert.deepEqual(Object.keys(plain.body), ['items', 'limit', 'next'])
  assert.equal(plain.total, undefined)
})

test('a total that is handed in is not counted', async (t) => {
  const opened = await database(t)
  const server = new Server({ environment: 'production' })
  server.router.get(
    '/notes',
    ({ input }, response) =>
      response.database.list(new Repository(Notes, opened), input.query, { total: 1000 }),
    { query: list(Notes, declaration) },
  )
  const { headers, text: body } = await server.inject({ url: '/notes?limit=5' })
  assert.equal(headers['x-total-count'], '1000')
  assert.equal(JSON.parse(body).pages, 200)
})

test('page numbers keep the parameters of the address', async (t) => {
  const opened = await database(t)
  const server = new Server({ environment: 'production' })
  server.router.get(
    '/notes',
    async ({ input }, response) =>
      (await response.database.list(new Repository(Notes, opened), input.query)).links.numbers,
    { query: list(Notes, declaration) },
  )
  const { text: body } = await server.inject({ url: '/notes?q=Note&limit=2&page=5' })
  assert.deepEqual(
    JSON.parse(body).map((entry: { page: number | null }) => entry.page),
    [1, null, 4, 5, 6, null, 10],
  )
  assert.equal(JSON.parse(body)[0].href, '/notes?q=Note&limit=2&page=1')
})

test('a cursor over a column with NULL is a 400 that says so, and a walk if the list allows it', async (t) => {
  const opened = await connect('sqlite::memory:')
  t.after(() => opened.close())
  await opened.run(sql`create table tasks (id integer primary key, due integer)`)
  const Tasks = entity('tasks', { id: key.integer(), due: integer().nullable() })
  const tasks = new Repository(Tasks, opened)
  await tasks.insertMany([{ due: 2 }, { due: null }, { due: 1 }, { due: null }])
  const server = new Server({ environment: 'production' })
  for (const nulls of [false, true]) {
    server.router.get(
      `/tasks-${nulls}`,
      ({ input }, response) => response.database.list(tasks, input.query),
      { query: list(Tasks, { sort: ['due'], nulls }), errors: 'json' },
    )
  }
  const refused = await server.inject({ url: '/tasks-false?cursor=' })
  assert.equal(refused.status, 400)
  assert.deepEqual(JSON.parse(refused.text).errors, [
    { parameter: 'cursor', detail: 'this list does not support a cursor; request it by page' },
  ])
  const seen: number[] = []
  let url: string | undefined = '/tasks-true?limit=1&cursor='
  while (url !== undefined) {
    const answer: { text: string; headers: Readonly<Record<string, string>> } = await server.inject(
      {
        url,
      },
    )
    const body: Body = JSON.parse(answer.text)
    seen.push(...body.items.map(({ id }) => id))
    url = /<([^>]+)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1]
  }
  assert.deepEqual(seen, [3, 1, 2, 4])
  // By page the same order.
  const paged: Body = JSON.parse((await server.inject({ url: '/tasks-true' })).text)
  assert.deepEqual(
    paged.items.map(({ id }) => id),
    seen,
  )
})
