import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { RecordingSurface } from '../../../tests/support/recording-surface.ts'
import type { RecordingOptions } from '../../../tests/support/recording-surface.ts'
import { InvalidArgumentException } from '../../base/errors.ts'
import { connect } from '../../database/connect.ts'
import { Nulls, Operators, Orders } from '../../database/sql/plan/operators.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import { integer, key, text } from '../entity/column.ts'
import { entity } from '../entity/entity.ts'
import { Selection } from '../selection.ts'
import { Modes, Pagination } from './pagination.ts'
import { startPagination } from './paginate.ts'

const People = entity('people', {
  id: key.integer(),
  name: text(),
  age: integer(),
  nick: text().nullable(),
})

async function people(t: TestContext, options: RecordingOptions = {}): Promise<RecordingSurface> {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await database.run(
    sql`create table people (id integer primary key, name text not null, age integer not null, nick text)`,
  )
  return new RecordingSurface(database, options)
}

const refusesWith =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof InvalidArgumentException && error.code === code

test('page mode sends the items and one COUNT in one flush', async (t) => {
  const surface = await people(t)
  const operation = startPagination(People, surface)
  assert.equal(surface.flushes.length, 1)
  const [items, count, ...others] = surface.flushes[0] ?? []
  assert.match(items ?? '', /^SELECT .* ORDER BY "id" ASC LIMIT/)
  assert.match(count ?? '', /^SELECT COUNT\(\*\) AS total FROM "people"$/i)
  assert.deepEqual(others, [])
  assert.ok(typeof operation.count === 'object' && operation.count?.state === 'done')
})

test('cursor mode sends the items alone, one row more than the page', async (t) => {
  const surface = await people(t)
  const pagination = new Pagination({ mode: Modes.Cursor, limit: 3 })
  const operation = startPagination(People, surface, null, pagination)
  assert.deepEqual(
    surface.flushes.map((flush) => flush.length),
    [1],
  )
  assert.equal(operation.count, null)
  assert.ok(operation.query.parameters.includes(4) || operation.query.sql.includes('LIMIT 4'))
})

test('a serial surface gets the items first and the COUNT later', async (t) => {
  const surface = await people(t, { kind: 'async', serial: true })
  const operation = startPagination(People, surface)
  assert.equal(operation.count, 'deferred')
  assert.equal(operation.state, 'pending')
  assert.deepEqual(
    surface.flushes.map((flush) => flush.length),
    [1],
  )
  await operation.settled()
  assert.equal(operation.state, 'done')
  assert.equal(operation.count, 'deferred')
})

test('the selection given is never changed, neither by the pagination nor by the scope', async (t) => {
  const surface = await people(t)
  const selection = new Selection(People)
    .filter('age', Operators.Greater, 1)
    .order(Orders.Desc, 'name')
  const before = JSON.stringify([selection.plan(), selection.relations])
  startPagination(People, surface, selection, new Pagination({ page: 3 }), (narrowed) =>
    narrowed.filter('name', Operators.Equal, 'Bob'),
  )
  assert.equal(JSON.stringify([selection.plan(), selection.relations]), before)
  const [[items = '', count = ''] = []] = surface.flushes
  assert.match(items, /"age" > .* AND .*"name" = /)
  assert.match(count, /"age" > .* AND .*"name" = /)
})

test('a selection that changes after the start does not affect a deferred COUNT', async (t) => {
  const surface = await people(t, { serial: true })
  const selection = new Selection(People)
  const operation = startPagination(People, surface, selection)
  selection.filter('age', Operators.Greater, 1)
  operation.dispatchCount()
  assert.doesNotMatch(surface.flushes.at(-1)?.[0] ?? '', /where/i)
})

test('what cannot be paginated is rejected before any query', async (t) => {
  const surface = await people(t)
  const cursor = Pagination.encode([1])
  const walk = new Pagination({ cursor })
  const refusals: [string, () => unknown][] = [
    ['E_PAGINATION', () => startPagination(People, surface, new Selection(People).limit(3))],
    ['E_PAGINATION', () => startPagination(People, surface, new Selection(People).offset(3), walk)],
    [
      'E_PAGINATION',
      () =>
        startPagination(
          People,
          surface,
          new Selection(People).seek([{ column: 'id', order: Orders.Asc }], [1]),
        ),
    ],
    [
      'E_PAGINATION',
      () => startPagination(People, surface, null, null, (selection) => selection.limit(1)),
    ],
    [
      'E_CURSOR_ORDER',
      () => startPagination(People, surface, new Selection(People).order(Orders.Asc, 'nick'), walk),
    ],
    [
      'E_CURSOR_ORDER',
      () =>
        startPagination(
          People,
          surface,
          new Selection(People).order(Orders.Asc, 'name', Nulls.Last),
          walk,
        ),
    ],
    [
      'E_PAGINATION',
      () => startPagination(People, surface, new Selection(entity('cats', People.shape))),
    ],
    ['E_CURSOR', () => startPagination(People, surface, null, new Pagination({ cursor: '' }))],
    ['E_CURSOR', () => startPagination(People, surface, null, new Pagination({ cursor: 'x' }))],
    [
      'E_CURSOR',
      () =>
        startPagination(
          People,
          surface,
          null,
          new Pagination({ cursor: Pagination.encode(['1']) }),
        ),
    ],
    [
      'E_CURSOR',
      () => startPagination(People, surface, new Selection(People).order(Orders.Asc, 'name'), walk),
    ],
  ]
  for (const [code, start] of refusals) assert.throws(start, refusesWith(code), start.toString())
  assert.deepEqual(surface.flushes, [])
})

test('an order by a nullable column works in page mode', async (t) => {
  const surface = await people(t)
  startPagination(People, surface, new Selection(People).order(Orders.Asc, 'nick', Nulls.Last))
  assert.equal(surface.flushes.length, 1)
})

test('a page deeper than the threshold reads keys first', async (t) => {
  const surface = await people(t)
  const at = (page: number): string => {
    startPagination(People, surface, null, new Pagination({ page, limit: 10, deferred: 20 }))
    return surface.flushes.at(-1)?.[0] ?? ''
  }
  assert.doesNotMatch(at(3), /JOIN/)
  assert.match(at(4), /JOIN/)
})
