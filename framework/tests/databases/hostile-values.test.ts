import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { RefusedInput } from '../../src/base/errors.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { kysely } from '../../src/database/kysely.ts'
import { json, key, text } from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import { Pagination } from '../../src/orm/pagination/pagination.ts'
import { Repository } from '../../src/orm/repository.ts'
import { Matches, Operators, Orders } from '../../src/database/sql/plan/operators.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { Server } from '../../src/http/server/server.ts'
import { plantPeople, People } from '../conformance/listed-people.ts'
import { startDelayProxy } from '../support/delay-proxy.ts'
import { onDatabase, onEveryDatabase } from '../support/test-databases.ts'
import { createTables } from './orm/create-tables.ts'

const Papers = entity('papers', { id: key.integer(), name: text(), document: json() })

const half = 'got one with NUL or half a surrogate pair'
const refusals: Readonly<Record<string, string>> = {
  insert: `name takes a text, ${half}`,
  update: `name takes a text, ${half}`,
  document: `document takes JSON, ${half}`,
  member: `document takes JSON, ${half}`,
}

/** A server that uses what visitors send in every kind of statement, without checking it first. */
function trustingServer(database: Database): { server: Server; reported: Error[] } {
  const throwables = createThrowables()
  const reported: Error[] = []
  throwables.reporters.push((error) => reported.push(error))
  const server = new Server({ environment: 'production', throwables, reporter: null })
  const people = new Repository(People, database)
  const { router } = server
  const q = ({ query }: { query: Readonly<Record<string, string>> }): string => query['q'] ?? ''
  router.get('/equal', (request, response) =>
    response.database.paginate(people, people.select().filter('name', Operators.Equal, q(request))),
  )
  router.get('/in', (request, response) =>
    response.database.paginate(people, people.select().filter('name', Operators.In, [q(request)])),
  )
  router.get('/after', (request, response) =>
    response.database.paginate(people, people.select().filter('name', Operators.Less, q(request))),
  )
  router.get('/match', (request, response) =>
    response.database.paginate(people, people.select().match('name', Matches.Like, q(request))),
  )
  router.get('/raw', (request) =>
    database.rows(sql`SELECT id FROM people WHERE name = ${q(request)}`),
  )
  router.get('/broken', () => database.rows(sql`SELECT id FROM nowhere`))
  return { server, reported }
}

onEveryDatabase((name, open, create) => {
  test('NUL finds nothing, or is a 400 where it cannot be compared, and is never a failure', async (t) => {
    const database = await open(t)
    await plantPeople(database, 4)
    const { server, reported } = trustingServer(database)
    const ask = async (url: string): Promise<number> => (await server.inject({ url })).status
    for (const path of ['/equal', '/in']) {
      const { status, text: body } = await server.inject({ url: `${path}?q=Ada%00&page=1` })
      assert.deepEqual([status, JSON.parse(body).items], [200, []], `${path} ${body}`)
    }
    for (const path of ['/match', '/after', '/raw']) {
      assert.equal(await ask(`${path}?q=Ada%00`), 400, path)
    }
    assert.equal(await ask('/raw?q=Ada'), 200)
    assert.deepEqual(reported, [])
  })

  test('a text that no database stores is a 400 and never stored, however it was sent and bound', async (t) => {
    const database = await open(t)
    await createTables(database, (schema) =>
      schema.createTable('papers', (table) => {
        table.key()
        table.text('name', { length: 40 })
        table.json('document')
      }),
    )
    const papers = new Repository(Papers, database)
    const { id } = await papers.insert({ name: 'kept', document: {} })
    const builder = kysely<{ papers: { name: string; document: string } }>(database)
    const stores: Readonly<Record<string, (name: string) => unknown>> = {
      insert: (given) => papers.insert({ name: given, document: {} }),
      update: (given) => papers.update(id, { name: given }),
      document: (given) => papers.insert({ name: '', document: { list: [{ given }] } }),
      member: (given) => papers.update(id, { document: { [given]: 1 } }),
      raw: (given) => database.run(sql`UPDATE papers SET name = ${given}`),
      query: (given) =>
        database.run({
          sql: `UPDATE papers SET name = ${database.dialect.placeholder(1)}`,
          parameters: [given],
        }),
      kysely: (given) => builder.updateTable('papers').set({ name: given }).execute(),
      transaction: (given) =>
        database.transaction((inside) => inside.run(sql`UPDATE papers SET name = ${given}`)),
    }
    const throwables = createThrowables()
    const reported: Error[] = []
    throwables.reporters.push((error) => reported.push(error))
    const server = new Server({ environment: 'production', throwables, reporter: null })
    const store = async (way: string, given: unknown): Promise<string> => {
      await stores[way]?.(String(given))
      return 'stored'
    }
    const input = v.object({ given: v.string() })
    for (const way of Object.keys(stores)) {
      server.router.post(`/${way}`, (request) => store(way, request.input.body.given), {
        body: input,
      })
      server.router.get(`/${way}`, ({ query }) => store(way, query['given']))
      server.router.get(`/${way}/:given`, ({ params }) => store(way, params.given))
    }
    const asJson = { 'content-type': 'application/json' }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const way of Object.keys(stores)) {
      const post = (headers: Readonly<Record<string, string>>, body: string) =>
        server.inject({ url: `/${way}`, method: 'POST', headers, body })
      const responses = [
        post(asJson, String.raw`{"given":"\ud83e"}`),
        post(asJson, String.raw`{"given":"x\udd8a\ud83ex"}`),
        post(asJson, String.raw`{"given":"a\u0000b"}`),
        post(form, 'given=a%00b'),
        server.inject({ url: `/${way}?given=%00` }),
        server.inject({ url: `/${way}/a%00b` }),
      ]
      const statuses = (await Promise.all(responses)).map(({ status }) => status)
      assert.deepEqual(statuses, Array(6).fill(400), way)
      for (const given of ['\ud83e', 'a\0b']) {
        const message = refusals[way] ?? 'parameter 1 is a text with NUL or half a surrogate pair'
        const refusal = (error: unknown): boolean =>
          error instanceof RefusedInput && error.message.startsWith(message)
        await assert.rejects(() => store(way, given), refusal, `${way} ${JSON.stringify(given)}`)
      }
    }
    assert.deepEqual(reported, [])
    assert.deepEqual(await papers.all(), [{ id, name: 'kept', document: {} }])
    assert.equal((await server.inject({ url: '/raw/%F0%9F%A6%8A' })).status, 200)
    assert.equal((await papers.find(id))?.name, '🦊')
  })

  if (name === 'sqlite') return

  test('while the database is unreachable a page is a 503 with Retry-After, in every form', async (t) => {
    const url = new URL(await create())
    const proxy = await startDelayProxy(Number(url.port), 0)
    url.port = String(proxy.port)
    const database = await connect(`${url.href}?pool=1`)
    t.after(() => database.close())
    await plantPeople(database, 1)
    const { server, reported } = trustingServer(database)
    assert.equal((await server.inject({ url: '/raw' })).status, 200)
    await proxy.close()
    for (const accept of ['text/html', 'application/json', 'application/problem+json']) {
      const {
        status,
        headers,
        text: body,
      } = await server.inject({
        url: '/raw',
        headers: { accept },
      })
      assert.deepEqual([status, headers['retry-after']], [503, '5'], body)
      assert.match(body, /Service Unavailable/)
      assert.doesNotMatch(body, /connection/)
    }
    assert.deepEqual(
      reported.map((error) => Reflect.get(error, 'code')),
      ['E_CONNECTION_LOST', 'E_CONNECTION_LOST', 'E_CONNECTION_LOST'],
    )
  })
})

onEveryDatabase((_name, open) => {
  test('a statement that the database rejects is a 500 as before', async (t) => {
    const { server, reported } = trustingServer(await open(t))
    assert.equal((await server.inject({ url: '/broken' })).status, 500)
    assert.equal(reported.length, 1)
  })
})

onDatabase('postgres', (_name, open) => {
  test('a forged cursor over a uuid, an enumeration or a date is a 400, and so is a wrong key', async (t) => {
    const database = await open(t)
    await database.run(sql`CREATE TYPE mood AS ENUM ('sad', 'happy')`)
    await database.run(
      sql`CREATE TABLE cards (id UUID PRIMARY KEY, mood mood NOT NULL, born DATE NOT NULL)`,
    )
    const id = '7d444840-9dc0-11d1-b245-5ffdce74fad2'
    await database.run(sql`INSERT INTO cards VALUES (${id}, 'sad', '2026-01-31')`)
    const Cards = entity('cards', { id: key.text(), mood: text(), born: text() })
    const cards = new Repository(Cards, database)
    const throwables = createThrowables()
    const reported: Error[] = []
    throwables.reporters.push((error) => reported.push(error))
    const server = new Server({ environment: 'production', throwables, reporter: null })
    for (const column of ['mood', 'born'] as const) {
      server.router.get(`/${column}`, (_request, response) =>
        response.database.paginate(cards, cards.select().order(Orders.Asc, column)),
      )
    }
    server.router.get('/cards/:id', ({ params }) => cards.find(params.id))
    const ask = async (path: string, values: readonly string[]): Promise<number> =>
      (await server.inject({ url: `${path}?cursor=${Pagination.encode(values)}` })).status
    assert.equal(await ask('/mood', ['happy', id]), 200)
    assert.equal(await ask('/mood', ['glad', id]), 400)
    assert.equal(await ask('/mood', ['sad', 'x']), 400)
    assert.equal(await ask('/born', ['2026-01-31', id]), 200)
    assert.equal(await ask('/born', ['2026-02-31', id]), 400)
    assert.equal(await ask('/born', ['soon', id]), 400)
    assert.equal(await ask('/mood', ['sad', id]), 200)
    assert.deepEqual(reported, [])
    // Any other value that only the database can judge is a 400 too, but a program could have checked it.
    assert.equal((await server.inject({ url: `/cards/${id}` })).status, 200)
    for (let count = 0; count < 5; count += 1) {
      assert.equal((await server.inject({ url: '/cards/nonsense' })).status, 400)
    }
    assert.equal(reported.length, 1)
  })
})
