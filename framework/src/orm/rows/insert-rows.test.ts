import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialects } from '../../../tests/support/dialects.ts'
import { integer, key, text } from '../entity/column.ts'
import { entity } from '../entity/entity.ts'
import { insertQueries, insertQuery } from './insert-rows.ts'

const Posts = entity('posts', { id: key.integer(), title: text(), views: integer().optional() })

test('one row is one insert that returns every column', () => {
  assert.deepEqual(insertQuery(Posts, { title: 'Tea' }, dialects.postgres), {
    sql: 'INSERT INTO "posts" ("title") VALUES ($1) RETURNING "id", "title", "views"',
    parameters: ['Tea'],
    raw: true,
  })
})

test('rows with the same columns share an insert; the order of the list is kept', () => {
  const list = [
    { title: 'a' },
    { title: 'b' },
    { views: 1, title: 'c' },
    { title: 'd', views: 2 },
    { title: 'e' },
  ]
  const queries = [...insertQueries(Posts, list, dialects.sqlite)]
  assert.deepEqual(
    queries.map(({ parameters }) => parameters),
    [['a', 'b'], ['c', 1, 'd', 2], ['e']],
  )
})

test('rows with the same number of different columns do not share an insert', () => {
  const list = [
    { title: 'a', views: 1 },
    { id: 2, title: 'b' },
  ]
  const queries = [...insertQueries(Posts, list, dialects.sqlite)]
  assert.deepEqual(
    queries.map(({ parameters }) => parameters),
    [
      ['a', 1],
      [2, 'b'],
    ],
  )
})

test('rows with only defaults have an insert each', () => {
  const Visits = entity('visits', { id: key.integer() })
  const queries = [...insertQueries(Visits, [{}, {}], dialects.mariadb)]
  assert.deepEqual(
    queries.map(({ sql }) => sql),
    Array(2).fill('INSERT INTO `visits` () VALUES () RETURNING `id`'),
  )
})

test('an insert has at most 1,000 rows', () => {
  const list = Array.from({ length: 2_001 }, (_, index) => ({ title: String(index) }))
  const queries = [...insertQueries(Posts, list, dialects.postgres)]
  assert.deepEqual(
    queries.map(({ parameters }) => parameters.length),
    [1_000, 1_000, 1],
  )
})

test('an insert binds no more values than the database allows', () => {
  const columns = Array.from({ length: 90 }, (_, index) => [`c${index}`, integer()])
  const Wide = entity('wide', { id: key.integer(), ...Object.fromEntries(columns) })
  const row = Object.fromEntries(columns.map(([name]) => [name, 1]))
  const limits = { sqlite: 32_766, postgres: 65_535, mariadb: 65_535 } as const
  for (const name of ['sqlite', 'postgres', 'mariadb'] as const) {
    const queries = [...insertQueries(Wide, Array(1_000).fill(row), dialects[name])]
    const counts = queries.map(({ parameters }) => parameters.length)
    assert.ok(counts.every((count) => count <= limits[name]))
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      90_000,
    )
    assert.equal(counts.length, Math.ceil(1_000 / Math.floor(limits[name] / 90)))
  }
})

test('no rows need no insert', () => {
  assert.deepEqual([...insertQueries(Posts, [], dialects.sqlite)], [])
})

test('one invalid row rejects the list', () => {
  const list = [{ title: 'a' }, { title: 7 }]
  assert.throws(() => [...insertQueries(Posts, list, dialects.sqlite)], { code: 'E_COLUMN_VALUE' })
})
