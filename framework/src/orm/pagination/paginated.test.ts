import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { RecordingSurface } from '../../../tests/support/recording-surface.ts'
import type { RecordingOptions } from '../../../tests/support/recording-surface.ts'
import { connect } from '../../database/connect.ts'
import { BridgeError, DatabaseError, PendingError } from '../../database/database-error.ts'
import { Operators, Orders, Nulls } from '../../database/sql/plan/operators.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import { key, text, integer } from '../entity/column.ts'
import { entity } from '../entity/entity.ts'
import { belongsTo } from '../relations/relation.ts'
import { Selection } from '../selection.ts'
import { Awaiting, hydratePagination, pageOf, startPagination } from './paginated.ts'
import { Counts, Modes, Pagination } from './pagination.ts'
import { InvalidArgumentException } from '../../base/errors.ts'

const Cities = entity('cities', { id: key.integer(), name: text() })
const People = entity('people', {
  id: key.integer(),
  name: text(),
  city: belongsTo(() => Cities),
})

/** Seven people, Ann to Gus; the odd ones live in city 1, the others in city 2. */
async function people(t: TestContext, options: RecordingOptions = {}): Promise<RecordingSurface> {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await database.run(sql`create table cities (id integer primary key, name text not null)`)
  await database.run(
    sql`create table people (id integer primary key, name text not null, city_id integer not null)`,
  )
  await database.run(sql`insert into cities values (1, 'Oslo'), (2, 'Rome')`)
  for (const [index, name] of ['Ann', 'Bob', 'Cid', 'Dan', 'Eva', 'Fay', 'Gus'].entries()) {
    await database.run(sql`insert into people values (${index + 1}, ${name}, ${(index % 2) + 1})`)
  }
  return new RecordingSurface(database, options)
}

const names = (rows: Iterable<{ readonly name: string }>): string =>
  [...rows].map(({ name }) => name).join(' ')

test('page mode returns the page, the total, the pages and whether there is more', async (t) => {
  const surface = await people(t)
  const pagination = new Pagination({ limit: 3, page: 2 })
  const mapped = hydratePagination(startPagination(People, surface, null, pagination))
  assert.equal(names(mapped), 'Dan Eva Fay')
  assert.deepEqual(mapped.items[0], { id: 4, name: 'Dan', cityId: 2 })
  assert.equal(mapped.pagination, pagination)
  assert.deepEqual([pagination.total, pagination.pages, pagination.more], [7, 3, true])
  assert.deepEqual([pagination.next, pagination.previous], [null, null])
  assert.equal(typeof pagination.total, 'number')
})

test('the last page has no more, and a page beyond the end is empty with the same total', async (t) => {
  const surface = await people(t)
  const last = new Pagination({ limit: 3, page: 3 })
  assert.equal(names(hydratePagination(startPagination(People, surface, null, last))), 'Gus')
  assert.deepEqual([last.total, last.pages, last.more], [7, 3, false])
  const beyond = new Pagination({ limit: 3, page: 9 })
  assert.equal(names(hydratePagination(startPagination(People, surface, null, beyond))), '')
  assert.deepEqual([beyond.total, beyond.pages, beyond.more], [7, 3, false])
})

test('an empty selection has 0 rows on 0 pages', async (t) => {
  const surface = await people(t)
  const selection = new Selection(People).filter('id', Operators.In, [])
  const { items, pagination } = hydratePagination(startPagination(People, surface, selection))
  assert.deepEqual(items, [])
  assert.deepEqual([pagination.total, pagination.pages, pagination.more], [0, 0, false])
})

test('cursor mode returns the page without the probe row, and next only if there is more', async (t) => {
  const surface = await people(t)
  const seen: string[] = []
  let cursor: string | null = null
  for (let page = 0; page < 3; page += 1) {
    const pagination: Pagination<'cursor'> =
      cursor === null
        ? new Pagination({ mode: Modes.Cursor, limit: 3 })
        : new Pagination({ cursor, limit: 3 })
    const selection = new Selection(People).order(Orders.Desc, 'name')
    const mapped = hydratePagination(startPagination(People, surface, selection, pagination))
    seen.push(names(mapped))
    assert.deepEqual([pagination.total, pagination.pages], [null, null])
    assert.equal(pagination.more, page < 2)
    assert.equal(pagination.next === null, page === 2)
    assert.equal(pagination.previous, null)
    cursor = pagination.next
  }
  assert.deepEqual(seen, ['Gus Fay Eva', 'Dan Cid Bob', 'Ann'])
})

test('next holds the values of the last row, order columns first and the key last', async (t) => {
  const surface = await people(t)
  const selection = new Selection(People).order(Orders.Desc, 'name')
  const pagination = new Pagination({ mode: Modes.Cursor, limit: 3 })
  hydratePagination(startPagination(People, surface, selection, pagination))
  assert.equal(pagination.next, Pagination.encode(['Eva', 5]))
})

test('a page that ends with the last row has no next', async (t) => {
  const surface = await people(t)
  const pagination = new Pagination({ mode: Modes.Cursor, limit: 7 })
  assert.equal([...hydratePagination(startPagination(People, surface, null, pagination))].length, 7)
  assert.deepEqual([pagination.more, pagination.next], [false, null])
})

test('walking back returns the pages in the same order, with previous and next', async (t) => {
  const surface = await people(t)
  const walk = (pagination: Pagination): string =>
    names(hydratePagination(startPagination(People, surface, null, pagination)))
  const first = new Pagination({ mode: Modes.Cursor, limit: 3, backward: true })
  assert.equal(walk(first), 'Ann Bob Cid')
  assert.equal(first.previous, null)
  const second = new Pagination({ cursor: first.next ?? '', limit: 3, backward: true })
  assert.equal(walk(second), 'Dan Eva Fay')
  const back = new Pagination({ before: second.previous ?? '', limit: 2 })
  assert.equal(walk(back), 'Bob Cid')
  assert.equal(back.more, true)
  const front = new Pagination({ before: back.previous ?? '', limit: 2 })
  assert.equal(walk(front), 'Ann')
  assert.deepEqual([front.more, front.previous], [false, null])
  const forth = new Pagination({ cursor: front.next ?? '', limit: 2 })
  assert.equal(walk(forth), 'Bob Cid')
  assert.equal(forth.previous, null)
})

test('relations are loaded for the rows of the page alone, not for the probe row', async (t) => {
  const surface = await people(t)
  const selection = new Selection(People).with('city')
  const pagination = new Pagination({ mode: Modes.Cursor, limit: 1 })
  const mapped = hydratePagination(startPagination(People, surface, selection, pagination))
  assert.deepEqual(mapped.items, [{ id: 1, name: 'Ann', cityId: 1, city: { id: 1, name: 'Oslo' } }])
  assert.equal(surface.flushes.length, 2)
  assert.equal(surface.flushes[1]?.[0]?.match(/\?/g)?.length, 1)
})

test('page mode on an asynchronous database is rejected without a bridge, settled or not', async (t) => {
  const surface = await people(t, { kind: 'async' })
  for (const count of Object.values(Counts)) {
    const operation = startPagination(People, surface, null, new Pagination({ count }))
    assert.throws(() => hydratePagination(operation), BridgeError)
    await operation.settled()
    assert.throws(() => hydratePagination(operation), BridgeError)
  }
})

test('cursor mode on an asynchronous database is pending first, and works once the rows arrived', async (t) => {
  const surface = await people(t, { kind: 'async' })
  const pagination = new Pagination({ mode: Modes.Cursor, limit: 2 })
  const operation = startPagination(People, surface, null, pagination)
  assert.throws(() => hydratePagination(operation), PendingError)
  assert.equal(pagination.next, null)
  await operation.settled()
  assert.equal(names(hydratePagination(operation)), 'Ann Bob')
  assert.equal(pagination.more, true)
})

test('relations on an asynchronous database need the bridge in cursor mode too', async (t) => {
  const surface = await people(t, { kind: 'async' })
  const selection = new Selection(People).with('city')
  const pagination = new Pagination({ mode: Modes.Cursor })
  const operation = startPagination(People, surface, selection, pagination)
  await operation.settled()
  assert.throws(() => hydratePagination(operation), BridgeError)
  const { items } = await Awaiting.hydrate({ entity: People }, operation)
  assert.equal(items[1]?.city.name, 'Rome')
})

test('the bridge waits for items and COUNT, which were sent together', async (t) => {
  const surface = await people(t, { kind: 'async' })
  const operation = startPagination(People, surface, null, new Pagination({ limit: 2 }))
  assert.deepEqual(
    surface.flushes.map((flush) => flush.length),
    [2],
  )
  const mapped = await Awaiting.hydrate({ entity: People }, operation)
  assert.equal(names(mapped), 'Ann Bob')
  assert.equal(mapped.pagination.total, 7)
  assert.equal(surface.flushes.length, 1)
})

test('on a serial surface the bridge sends the COUNT after the items, and once', async (t) => {
  const surface = await people(t, { kind: 'async', serial: true })
  const operation = startPagination(People, surface, null, new Pagination({ limit: 2 }))
  for (let times = 0; times < 2; times += 1) {
    const { pagination } = await Awaiting.hydrate({ entity: People }, operation)
    assert.equal(pagination.total, 7)
  }
  assert.deepEqual(
    surface.flushes.map(([statement]) => /COUNT/.test(statement ?? '')),
    [false, true],
  )
  assert.ok(typeof operation.count === 'object')
})

test('a synchronous serial surface needs no bridge', async (t) => {
  const surface = await people(t, { serial: true })
  const operation = startPagination(People, surface, null, new Pagination({ limit: 2 }))
  assert.equal(operation.count, 'deferred')
  assert.equal(hydratePagination(operation).pagination.total, 7)
})

test('the bridge refuses an operation of another repository', async (t) => {
  const surface = await people(t)
  const operation = startPagination(People, surface)
  await assert.rejects(Awaiting.hydrate({ entity: Cities }, operation), {
    code: 'E_INVALID_ARGUMENT',
  })
})

test('only an operation of paginate() can be hydrated', async (t) => {
  const surface = await people(t)
  const others = [surface.dispatch({ sql: 'select 1', parameters: [] }), {}]
  for (const other of others) {
    const operation = Object.create(other)
    assert.throws(() => hydratePagination(operation), { code: 'E_INVALID_ARGUMENT' })
    await assert.rejects(Awaiting.hydrate({ entity: People }, operation), {
      code: 'E_INVALID_ARGUMENT',
    })
  }
})

test('a failed statement is thrown by hydration and leaves the outcome unchanged', async (t) => {
  const surface = await people(t)
  const Missing = entity('missing', { id: key.integer() })
  const pagination = new Pagination({ limit: 2 }).resolve({ total: 5 })
  const operation = startPagination(Missing, surface, null, pagination)
  assert.equal(operation.state, 'failed')
  assert.throws(() => hydratePagination(operation), DatabaseError)
  await assert.rejects(pageOf(Missing, surface, null, pagination), DatabaseError)
  assert.equal(pagination.total, 5)
})

test('pageOf starts and awaits a page', async (t) => {
  const surface = await people(t, { kind: 'async' })
  const selection = new Selection(People).with('city').order(Orders.Desc, 'name')
  const { items, pagination } = await pageOf(
    People,
    surface,
    selection,
    new Pagination({ limit: 1 }),
  )
  assert.deepEqual(items, [{ id: 7, name: 'Gus', cityId: 1, city: { id: 1, name: 'Oslo' } }])
  assert.equal(pagination.total, 7)
  await assert.rejects(pageOf(People, surface, new Selection(People).limit(1)), {
    code: 'E_PAGINATION',
  })
})

test('a capped count stops at the cap and is approximate', async (t) => {
  const surface = await people(t)
  const outcome = (page: number, cap: number): unknown[] => {
    const pagination = new Pagination({ page, limit: 2, count: Counts.Capped, cap })
    const { items } = hydratePagination(startPagination(People, surface, null, pagination))
    const { total, pages, more, approximate } = pagination
    return [items.length, total, pages, more, approximate]
  }
  assert.deepEqual(outcome(1, 4), [2, 4, 2, true, true])
  assert.deepEqual(outcome(3, 4), [2, 7, 4, true, true])
  assert.deepEqual(outcome(4, 4), [1, 7, 4, false, false])
  assert.deepEqual(outcome(1, 7), [2, 7, 4, true, false])
  assert.deepEqual(outcome(9, 7), [0, 7, 4, false, false])
  assert.deepEqual(outcome(9, 4), [0, 4, 2, false, true])
})

test('without a count nothing is counted and the probe row tells whether there is more', async (t) => {
  const surface = await people(t)
  const pagination = new Pagination({ page: 3, limit: 2, count: Counts.None })
  const operation = startPagination(People, surface, null, pagination)
  assert.equal(operation.count, null)
  assert.equal(names(hydratePagination(operation)), 'Eva Fay')
  assert.deepEqual([pagination.total, pagination.pages, pagination.more], [null, null, true])
  assert.deepEqual(
    surface.flushes.map((flush) => flush.length),
    [1],
  )
})

test('an estimate on SQLite is an exact count', async (t) => {
  const surface = await people(t)
  const pagination = new Pagination({ limit: 2, count: Counts.Estimate })
  hydratePagination(startPagination(People, surface, null, pagination))
  assert.deepEqual([pagination.total, pagination.approximate, pagination.more], [7, false, true])
})

test('a signed cursor is rejected under another order, other filters or another key', async (t) => {
  const surface = await people(t)
  const signed = createSecretKey(randomBytes(32))
  const byName = (): Selection<typeof People> =>
    new Selection(People).filter('id', Operators.Less, 7).order(Orders.Desc, 'name')
  const first = new Pagination({ mode: Modes.Cursor, limit: 2, signed })
  hydratePagination(startPagination(People, surface, byName(), first))
  const second = new Pagination({ cursor: first.next ?? '', limit: 2, signed })
  const mapped = hydratePagination(startPagination(People, surface, byName(), second))
  assert.equal(names(mapped), 'Dan Cid')
  surface.flushes.length = 0
  const others = [
    new Selection(People).order(Orders.Desc, 'name'),
    new Selection(People).filter('id', Operators.Less, 8).order(Orders.Desc, 'name'),
    new Selection(People).filter('id', Operators.Less, 7).order(Orders.Asc, 'name'),
  ]
  for (const other of others) {
    assert.throws(() => startPagination(People, surface, other, second), { code: 'E_CURSOR' })
  }
  const unsigned = new Pagination({ cursor: first.next?.split('.', 1).join('') ?? '', signed })
  const foreign = new Pagination({
    cursor: first.next ?? '',
    signed: createSecretKey(randomBytes(32)),
  })
  for (const bad of [unsigned, foreign, new Pagination({ cursor: first.next ?? '' })]) {
    assert.throws(() => startPagination(People, surface, byName(), bad), { code: 'E_CURSOR' })
  }
  assert.deepEqual(surface.flushes, [])
})

const Nicknamed = entity('people', {
  id: key.integer(),
  name: text(),
  age: integer(),
  nick: text().nullable(),
})

async function nicknamed(
  t: TestContext,
  options: RecordingOptions = {},
): Promise<RecordingSurface> {
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
  const surface = await nicknamed(t)
  const operation = startPagination(Nicknamed, surface)
  assert.equal(surface.flushes.length, 1)
  const [items, count, ...others] = surface.flushes[0] ?? []
  assert.match(items ?? '', /^SELECT .* ORDER BY "id" ASC LIMIT/)
  assert.match(count ?? '', /^SELECT COUNT\(\*\) AS total FROM "people"$/i)
  assert.deepEqual(others, [])
  assert.ok(typeof operation.count === 'object' && operation.count?.state === 'done')
})

test('cursor mode sends the items alone, one row more than the page', async (t) => {
  const surface = await nicknamed(t)
  const pagination = new Pagination({ mode: Modes.Cursor, limit: 3 })
  const operation = startPagination(Nicknamed, surface, null, pagination)
  assert.deepEqual(
    surface.flushes.map((flush) => flush.length),
    [1],
  )
  assert.equal(operation.count, null)
  assert.ok(operation.query.parameters.includes(4) || operation.query.sql.includes('LIMIT 4'))
})

test('a serial surface gets the items first and the COUNT later', async (t) => {
  const surface = await nicknamed(t, { kind: 'async', serial: true })
  const operation = startPagination(Nicknamed, surface)
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
  const surface = await nicknamed(t)
  const selection = new Selection(Nicknamed)
    .filter('age', Operators.Greater, 1)
    .order(Orders.Desc, 'name')
  const before = JSON.stringify([selection.plan(), selection.relations])
  startPagination(Nicknamed, surface, selection, new Pagination({ page: 3 }), (narrowed) =>
    narrowed.filter('name', Operators.Equal, 'Bob'),
  )
  assert.equal(JSON.stringify([selection.plan(), selection.relations]), before)
  const [[items = '', count = ''] = []] = surface.flushes
  assert.match(items, /"age" > .* AND .*"name" = /)
  assert.match(count, /"age" > .* AND .*"name" = /)
})

test('a selection that changes after the start does not affect a deferred COUNT', async (t) => {
  const surface = await nicknamed(t, { serial: true })
  const selection = new Selection(Nicknamed)
  const operation = startPagination(Nicknamed, surface, selection)
  selection.filter('age', Operators.Greater, 1)
  operation.dispatchCount()
  assert.doesNotMatch(surface.flushes.at(-1)?.[0] ?? '', /where/i)
})

test('what cannot be paginated is rejected before any query', async (t) => {
  const surface = await nicknamed(t)
  const cursor = Pagination.encode([1])
  const walk = new Pagination({ cursor })
  const refusals: [string, () => unknown][] = [
    ['E_PAGINATION', () => startPagination(Nicknamed, surface, new Selection(Nicknamed).limit(3))],
    [
      'E_PAGINATION',
      () => startPagination(Nicknamed, surface, new Selection(Nicknamed).offset(3), walk),
    ],
    [
      'E_PAGINATION',
      () =>
        startPagination(
          Nicknamed,
          surface,
          new Selection(Nicknamed).seek([{ column: 'id', order: Orders.Asc }], [1]),
        ),
    ],
    [
      'E_PAGINATION',
      () => startPagination(Nicknamed, surface, null, null, (selection) => selection.limit(1)),
    ],
    [
      'E_CURSOR_ORDER',
      () =>
        startPagination(
          Nicknamed,
          surface,
          new Selection(Nicknamed).order(Orders.Asc, 'nick'),
          walk,
        ),
    ],
    [
      'E_CURSOR_ORDER',
      () =>
        startPagination(
          Nicknamed,
          surface,
          new Selection(Nicknamed).order(Orders.Asc, 'name', Nulls.Last),
          walk,
        ),
    ],
    [
      'E_PAGINATION',
      () => startPagination(Nicknamed, surface, new Selection(entity('cats', Nicknamed.shape))),
    ],
    ['E_CURSOR', () => startPagination(Nicknamed, surface, null, new Pagination({ cursor: '' }))],
    ['E_CURSOR', () => startPagination(Nicknamed, surface, null, new Pagination({ cursor: 'x' }))],
    [
      'E_CURSOR',
      () =>
        startPagination(
          Nicknamed,
          surface,
          null,
          new Pagination({ cursor: Pagination.encode(['1']) }),
        ),
    ],
    [
      'E_CURSOR',
      () =>
        startPagination(
          Nicknamed,
          surface,
          new Selection(Nicknamed).order(Orders.Asc, 'name'),
          walk,
        ),
    ],
  ]
  for (const [code, start] of refusals) assert.throws(start, refusesWith(code), start.toString())
  assert.deepEqual(surface.flushes, [])
})

test('an order by a nullable column works in page mode', async (t) => {
  const surface = await nicknamed(t)
  startPagination(
    Nicknamed,
    surface,
    new Selection(Nicknamed).order(Orders.Asc, 'nick', Nulls.Last),
  )
  assert.equal(surface.flushes.length, 1)
})

test('a page deeper than the threshold reads keys first', async (t) => {
  const surface = await nicknamed(t)
  const at = (page: number): string => {
    startPagination(Nicknamed, surface, null, new Pagination({ page, limit: 10, deferred: 20 }))
    return surface.flushes.at(-1)?.[0] ?? ''
  }
  assert.doesNotMatch(at(3), /JOIN/)
  assert.match(at(4), /JOIN/)
})
