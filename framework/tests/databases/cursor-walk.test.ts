import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import * as fc from 'fast-check'
import type { Database } from '../../src/database/surface.ts'
import { integer, key } from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import { Modes, Pagination } from '../../src/orm/pagination/pagination.ts'
import { pageOf } from '../../src/orm/pagination/paginated.ts'
import { Repository } from '../../src/orm/repository.ts'
import { Selection } from '../../src/orm/selection.ts'
import type { OrderKind } from '../../src/orm/selection.ts'
import { walkOver } from '../../src/orm/pagination/walk.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { anyEdits, anyOrder, anyReadings } from './reading-values.ts'
import type { Direction, Edit } from './reading-values.ts'
import {
  addReadings,
  clearReadings,
  createReadings,
  dropReading,
  ledgerOrder,
  Readings,
} from './readings.ts'
import type { Reading } from './readings.ts'

// FRAMEWORK_LONG_RUNS=20 tries twenty times as many tables.
const longer = Number(process.env['FRAMEWORK_LONG_RUNS'] ?? 1)
// More than any walk over so few rows can have.
const maxPages = 100
const runs = { sqlite: 60, postgres: 25, mariadb: 25 } as const

onEveryDatabase((name, open) => {
  let database: Database
  before(async () => {
    database = await open()
    await createReadings(database)
  })
  const numRuns = Math.ceil(runs[name] * longer)
  const timeout = 60_000 * Math.max(1, longer)

  test(
    'a walk returns every row that stays exactly once, in order, whatever is inserted and deleted',
    { timeout },
    () =>
      fc.assert(
        fc.asyncProperty(
          anyReadings,
          anyOrder,
          anyEdits,
          fc.integer({ min: 1, max: 7 }),
          async (rows, order, edits, limit) => {
            await clearReadings(database)
            await addReadings(database, rows)
            await checkWalk(database, { rows, order, edits, limit })
          },
        ),
        { numRuns, endOnFailure: longer > 1 },
      ),
  )

  test(
    'walking forward, backward and iterating all return the rows in full order',
    { timeout },
    () =>
      fc.assert(
        fc.asyncProperty(
          anyReadings,
          anyOrder,
          fc.integer({ min: 1, max: 7 }),
          async (rows, order, limit) => {
            await clearReadings(database)
            await addReadings(database, rows)
            const expected = await ledgerOrder(database, orderBy(database, order))
            const { pages, previous } = await walkForth(database, order, limit)
            assert.deepEqual(pages.flat(), expected)
            const back = await walkBack(database, order, limit, previous)
            assert.deepEqual([...back, ...(pages.at(-1) ?? [])], expected)
            const walk = walkOver(Readings, database, selectionOf(order), { size: limit })
            const walked: bigint[] = []
            for await (const { id } of walk) {
              assert.ok(walked.push(id) <= maxPages, 'the iterator does not end')
            }
            assert.deepEqual(walked, expected)
          },
        ),
        { numRuns, endOnFailure: longer > 1 },
      ),
  )
})

interface Walk {
  readonly rows: readonly Reading[]
  readonly order: readonly Direction[]
  readonly edits: readonly Edit[]
  readonly limit: number
}

/** Reads page after page, edits the table in between, and compares with the expected rows. */
async function checkWalk(database: Database, { rows, order, edits, limit }: Walk): Promise<void> {
  const present = new Map(rows.map((row) => [row.id, row]))
  const ever = new Set(present.keys())
  const dropped = new Set<bigint>()
  // For a row added during the walk: how many rows had been given by then.
  const addedAfter = new Map<bigint, number>()
  const given: bigint[] = []
  let cursor: string | null = null
  for (let page = 0; ; page += 1) {
    assert.ok(page < maxPages, 'the walk does not end')
    const pagination = paginationAt(cursor, limit)
    const { items } = await pageOf(Readings, database, selectionOf(order), pagination)
    assert.ok(items.length <= limit)
    for (const row of items) assert.deepEqual(row, present.get(row.id))
    given.push(...items.map(({ id }) => id))
    cursor = pagination.next
    if (cursor === null) break
    assert.equal(items.length, limit)
    const { added = [], dropped: places = [] } = edits[page] ?? {}
    const fresh = added.filter(
      ({ id }, index) => !ever.has(id) && added.findIndex((row) => row.id === id) === index,
    )
    await addReadings(database, fresh)
    for (const row of fresh) {
      ever.add(row.id)
      present.set(row.id, row)
      addedAfter.set(row.id, given.length)
    }
    for (const place of places) {
      const id = [...present.keys()][place]
      if (id === undefined) continue
      await dropReading(database, id)
      present.delete(id)
      dropped.add(id)
    }
  }
  const rank = new Map(
    (await ledgerOrder(database, orderBy(database, order))).map((id, at) => [id, at]),
  )
  const rankOf = (id: bigint | undefined): number => rank.get(id ?? 0n) ?? Number.NaN
  assert.deepEqual(
    given,
    [...new Set(given)].toSorted((one, two) => rankOf(one) - rankOf(two)),
  )
  for (const id of present.keys()) {
    const count = addedAfter.get(id)
    const isAhead = count === undefined || rankOf(id) > rankOf(given[count - 1])
    assert.equal(given.includes(id), isAhead, `row ${id} was ${isAhead ? 'lost' : 'given late'}`)
  }
}

interface Forth {
  readonly pages: readonly (readonly bigint[])[]
  readonly previous: string | null
}

/** Keys of every row by pages, and the `previous` of the last page. */
async function walkForth(
  database: Database,
  order: readonly Direction[],
  limit: number,
): Promise<Forth> {
  const pages: bigint[][] = []
  let pagination = paginationAt(null, limit)
  for (;;) {
    assert.ok(pages.length < maxPages, 'the walk does not end')
    const { items } = await pageOf(Readings, database, selectionOf(order), pagination)
    pages.push(items.map(({ id }) => id))
    if (pagination.next === null) return { pages, previous: pagination.previous }
    pagination = paginationAt(pagination.next, limit)
  }
}

/** Keys of every row before a position, read backwards by pages and put together in their order. */
async function walkBack(
  database: Database,
  order: readonly Direction[],
  limit: number,
  from: string | null,
): Promise<bigint[]> {
  const ids: bigint[] = []
  let before = from
  while (before !== null) {
    assert.ok(ids.length < maxPages, 'the walk back does not end')
    const pagination = new Pagination({ before, limit })
    const { items } = await pageOf(Readings, database, selectionOf(order), pagination)
    ids.unshift(...items.map(({ id }) => id))
    before = pagination.previous
  }
  return ids
}

function paginationAt(cursor: string | null, limit: number): Pagination<'cursor'> {
  if (cursor === null) return new Pagination({ mode: Modes.Cursor, limit, backward: true })
  return new Pagination({ cursor, limit, backward: true })
}

function selectionOf(order: readonly Direction[]): Selection<Readings, unknown, OrderKind> {
  let selection: Selection<Readings, unknown, OrderKind> = new Selection(Readings)
  for (const { column, order: direction } of order) selection = selection.order(direction, column)
  return selection
}

function orderBy({ dialect }: Database, order: readonly Direction[]): string {
  const named = [...order, { column: 'id', order: order.at(-1)?.order ?? 'asc' }]
  return named
    .map(({ column, order: direction }) => `${dialect.quote(column)} ${direction}`)
    .join(', ')
}

onEveryDatabase((_name, open) => {
  const Drops = entity('drops', { id: key.integer(), size: integer() })
  const many = Array.from({ length: 12_000 }, (_, size) => ({ id: size + 1, size }))

  async function openDrops(t: TestContext): Promise<Repository<typeof Drops>> {
    // Writers wait for a transaction as long as it takes, on however slow a machine.
    const database = await open(t, 'busy_timeout=60')
    await database.run(
      sql`create table drops (id integer not null primary key, size integer not null)`,
    )
    await database.run(sql`create table others (id integer not null primary key)`)
    return new Repository(Drops, database)
  }

  /** Does some work, and something else at each turn of the event loop meanwhile. */
  async function beside(work: () => Promise<unknown>, turn: () => unknown): Promise<number> {
    let turns = 0
    const state = { isOver: false }
    const others = (async () => {
      for (; !state.isOver; turns += 1) {
        await setImmediate()
        await turn()
      }
    })()
    try {
      await work()
    } finally {
      state.isOver = true
      await others
    }
    return turns
  }

  test('the event loop runs while many rows are written and walked over', async (t) => {
    const drops = await openDrops(t)
    const counts = new Set<number>()
    const written = await beside(
      () => drops.insertMany(many),
      async () => counts.add(await drops.count()),
    )
    // All or none: no other connection saw only some of them.
    counts.delete(0)
    counts.delete(many.length)
    assert.deepEqual([...counts], [])
    assert.ok(written > 3, `${written} turns`)
    let sum = 0
    const walked = await beside(
      async () => {
        for await (const { size } of drops.walk()) sum += size
      },
      () => undefined,
    )
    assert.equal(sum, (many.length * (many.length - 1)) / 2)
    assert.ok(walked > 3, `${walked} turns`)
  })

  test('concurrent writes are outside the transaction of a long insert', async (t) => {
    const drops = await openDrops(t)
    const { surface } = drops
    const writes: Promise<unknown>[] = []
    const failing = beside(
      () => drops.insertMany([...many, { id: 1, size: 0 }]),
      () => {
        const id = writes.length + 1
        if (id <= 5) writes.push(surface.run(sql`insert into others (id) values (${id})`))
      },
    )
    await assert.rejects(failing, { code: 'E_DUPLICATE_KEY' })
    await Promise.all(writes)
    assert.equal(await drops.count(), 0)
    assert.equal((await surface.rows(sql`select id from others`)).length, writes.length)
    assert.ok(writes.length > 1)
  })
})
