import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { key, text } from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import { Repository } from '../../src/orm/repository.ts'
import { Nulls, Orders } from '../../src/database/sql/plan/operators.ts'
import { projectServer } from '../../src/testing/project-server.ts'
import { itemsOf, listServer, plantPeople } from '../conformance/listed-people.ts'
import { serve } from '../support/serve.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

const demo = join(import.meta.dirname, '..', '..', '..', 'demo')

onEveryDatabase((_name, open, create) => {
  test('a list by page has its total and links to the next and previous page', async (t) => {
    const database = await open(t)
    await plantPeople(database, 48)
    const { get } = await listServer(t, database)
    const answer = await get('/people?limit=5&page=2&q=Ada')
    assert.equal(answer.status, 200)
    assert.equal(answer.total, '12')
    assert.equal(
      answer.link,
      '</people?limit=5&q=Ada&page=3>; rel="next", </people?limit=5&q=Ada&page=1>; rel="prev"',
    )
    const items = itemsOf(answer)
    assert.deepEqual(
      items.map(({ id }) => id),
      [21, 25, 29, 33, 37],
    )
    assert.equal(items[0]?.['badge'], '9007199254741013')
    assert.deepEqual(answer.body, { items, page: 2, pages: 3, limit: 5, total: 12 })
  })

  test('a page beyond any table is empty, not an error', async (t) => {
    const database = await open(t)
    await plantPeople(database, 12)
    const { get, reported } = await listServer(t, database)
    const answer = await get(`/people?page=${'9'.repeat(40)}`)
    assert.deepEqual([answer.status, itemsOf(answer)], [200, []])
    assert.equal(answer.link, '</people?limit=10&page=2>; rel="prev"')
    assert.deepEqual(reported, [])
  })

  test('following the links of a walk visits every row once, in order', async (t) => {
    const database = await open(t)
    await plantPeople(database, 45)
    const { get } = await listServer(t, database)
    const seen: unknown[] = []
    let path: string | undefined = '/people?cursor=&limit=7'
    while (path !== undefined) {
      const answer = await get(path)
      assert.equal(answer.total, null)
      seen.push(...itemsOf(answer).map(({ id }) => id))
      path = /<([^>]+)>; rel="next"/.exec(answer.link ?? '')?.[1]
    }
    const whole = itemsOf(await get('/people?limit=100')).map(({ id }) => id)
    assert.equal(whole.length, 45)
    assert.deepEqual(seen, whole)
  })

  test('a malformed cursor is refused, and the next request is served', async (t) => {
    const database = await open(t)
    await plantPeople(database, 3)
    const { get, reported } = await listServer(t, database)
    assert.equal((await get('/people?cursor=WzFd')).status, 400)
    assert.equal((await get('/people?cursor=')).status, 200)
    assert.deepEqual(reported, [])
  })

  test('a cursor for a list that does not support cursors is rejected before any query', async (t) => {
    const statements: string[] = []
    const database = await connect(await create(), { log: ({ sql }) => statements.push(sql) })
    t.after(() => database.close())
    const notes = new Repository(
      entity('notes', { id: key.integer(), text: text().nullable() }),
      database,
    )
    const { port, reported } = await serve(t, ({ router }) => {
      for (const nulls of [undefined, Nulls.First, Nulls.Last]) {
        router.get(`/notes/${nulls ?? 'unsaid'}`, (_request, response) =>
          response.database.paginate(notes, notes.select().order(Orders.Asc, 'text', nulls)),
        )
      }
    })
    for (const path of ['unsaid', 'first', 'last']) {
      for (const cursor of ['', 'WzFd', 'x']) {
        const answer = await fetch(`http://127.0.0.1:${port}/notes/${path}?cursor=${cursor}`, {
          headers: { accept: 'application/json' },
        })
        assert.deepEqual([answer.status, await answer.json()], [400, { error: 'Bad Request' }])
      }
    }
    assert.deepEqual([statements, reported], [[], []])
  })

  test('concurrent requests each get their own list', async (t) => {
    const database = await open(t, 'pool=3')
    await plantPeople(database, 60)
    const { get } = await listServer(t, database)
    const pages = Array.from({ length: 24 }, (_, index) => 1 + (index % 6))
    const answers = await Promise.all(pages.map((page) => get(`/repository?page=${page}`)))
    for (const [index, answer] of answers.entries()) {
      assert.equal(itemsOf(answer)[0]?.['id'], ((pages[index] ?? 0) - 1) * 10 + 1)
      assert.equal(answer.total, '60')
    }
  })

  test('the demo creates its tables there, fills them and lists them both ways', async (t) => {
    const app = await projectServer(demo, { env: { DATABASE_URL: await create() } })
    t.after(() => app.close())
    const page = await app.inject({ url: '/items?category=Garden&order=dearest&page=2' })
    assert.equal(page.status, 200, page.text)
    assert.equal(page.headers['x-total-count'], '50')
    const seen: unknown[] = []
    let url: string | undefined = '/items?order=cheapest&limit=60&cursor='
    while (url !== undefined) {
      const { text, headers } = await app.inject({ url })
      const { items }: { items: { id: number }[] } = JSON.parse(text)
      seen.push(...items.map(({ id }) => id))
      url = /<([^>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1]
    }
    assert.deepEqual([seen.length, new Set(seen).size], [200, 200])
    const html = await app.inject({ url: '/items', headers: { accept: 'text/html' } })
    assert.match(html.text, /<caption>200 items, page 1 of 20<\/caption>/)
  })
})
