import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainSelect } from '../../../src/database/explain-select.ts'
import type { Database } from '../../../src/database/surface.ts'
import { boolean, decimal, integer, key, text, timestamp } from '../../../src/orm/entity/column.ts'
import { entity } from '../../../src/orm/entity/entity.ts'
import type { RowOf } from '../../../src/orm/entity/row.ts'
import { Pagination } from '../../../src/orm/pagination/pagination.ts'
import { Repository } from '../../../src/orm/repository.ts'
import { Nulls, Operators, Orders } from '../../../src/database/sql/plan/operators.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'
import { createTables } from './create-tables.ts'

const Notes = entity('notes', {
  id: key.integer(),
  title: text().nullable(),
  rank: integer().nullable(),
  price: decimal({ precision: 8, scale: 2 }).nullable(),
  dueAt: timestamp().nullable(),
  folder: integer(),
  done: boolean(),
})

const size = 60

async function notes(database: Database): Promise<Repository<typeof Notes>> {
  await createTables(database, (schema) =>
    schema.createTable('notes', (table) => {
      table.key()
      table.text('title', { length: 40 }).nullable()
      table.integer('rank').nullable()
      table.decimal('price', { precision: 8, scale: 2 }).nullable()
      table.timestamp('due_at').nullable()
      table.integer('folder')
      table.boolean('done')
      table.index(['title', 'id'])
    }),
  )
  const repository = new Repository(Notes, database)
  await repository.insertMany(
    Array.from({ length: size }, (_, at) => ({
      title: at % 3 === 0 ? null : `t${at % 7}`,
      rank: at % 4 === 0 ? null : at % 5,
      price: at % 5 === 0 ? null : `${at % 6}.50`,
      dueAt: at % 2 === 0 ? null : new Date(Date.UTC(2026, 0, (at % 9) + 1)),
      folder: at % 2,
      done: at % 2 === 1,
    })),
  )
  return repository
}

const columns = ['title', 'rank', 'price', 'dueAt', 'folder'] as const
type Column = (typeof columns)[number]
type Order = readonly (readonly [order: Orders, column: Column, nulls?: Nulls])[]

const orders: readonly Order[] = [
  [[Orders.Asc, 'title']],
  [[Orders.Desc, 'title']],
  [[Orders.Asc, 'title', Nulls.First]],
  [[Orders.Desc, 'dueAt', Nulls.First]],
  [
    [Orders.Asc, 'folder'],
    [Orders.Desc, 'price'],
  ],
  [
    [Orders.Asc, 'rank'],
    [Orders.Desc, 'title', Nulls.First],
    [Orders.Asc, 'price'],
  ],
]

/** The order in which the rows must come, by JavaScript alone. */
function expected(rows: readonly Row[], order: Order): readonly number[] {
  return rows
    .toSorted((one, other) => {
      for (const [direction, column, nulls = Nulls.Last] of order) {
        const difference = compare(one[column], other[column], direction, nulls)
        if (difference !== 0) return difference
      }
      return order.at(-1)?.[0] === Orders.Desc ? other.id - one.id : one.id - other.id
    })
    .map(({ id }) => id)
}

type Row = RowOf<typeof Notes>

function compare(one: unknown, other: unknown, order: Orders, nulls: Nulls): number {
  if (one === null || other === null) {
    if (one === other) return 0
    return (one === null) === (nulls === Nulls.First) ? -1 : 1
  }
  const [a, b] = [comparable(one), comparable(other)]
  const ascending = a < b ? -1 : a > b ? 1 : 0
  return order === Orders.Asc ? ascending : -ascending
}

function comparable(value: unknown): string | number {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'number' ? value : String(value)
}

onEveryDatabase((name, open) => {
  test('a walk over nullable columns visits every row once, NULL where it is said, and goes back', async () => {
    const repository = await notes(await open())
    const rows = await repository.all()
    for (const order of orders) {
      const selection = repository.select()
      for (const [direction, column, nulls] of order) {
        if (nulls === undefined) selection.order(direction, column)
        else selection.order(direction, column, nulls)
      }
      const wanted = expected(rows, order)
      for (const limit of [7, 20]) {
        const forth: number[] = []
        let last: Pagination = new Pagination({
          mode: 'cursor',
          limit,
          nulls: true,
          backward: true,
        })
        for (;;) {
          const page = await repository.page(selection, last)
          forth.push(...page.items.map(({ id }) => id))
          if (last.next === null) break
          last = new Pagination({ cursor: last.next, limit, nulls: true, backward: true })
        }
        assert.deepEqual(forth, wanted, JSON.stringify([order, limit]))
        const back = forth.slice(Math.floor((size - 1) / limit) * limit)
        while (last.previous !== null) {
          last = new Pagination({ before: last.previous, limit, nulls: true })
          const page = await repository.page(selection, last)
          back.unshift(...page.items.map(({ id }) => id))
        }
        assert.deepEqual(back, wanted, `back: ${JSON.stringify([order, limit])}`)
      }
    }
  })

  test('values of every kind come through the parts of such a walk unchanged', async () => {
    const repository = await notes(await open())
    const selection = repository.select().filter('folder', Operators.Equal, 1)
    const walked = []
    const byTitle = selection.clone().order(Orders.Asc, 'title')
    for await (const row of repository.walk(byTitle, { size: 4, nulls: true })) walked.push(row)
    const byId = walked.toSorted((one, other) => one.id - other.id)
    assert.deepEqual(byId, await repository.all(selection.order(Orders.Asc, 'id')))
  })

  test('without being allowed, NULL is refused before a query, also in a cursor', async () => {
    const repository = await notes(await open())
    const byTitle = repository.select().order(Orders.Asc, 'title')
    const plain: Pagination = new Pagination({ mode: 'cursor' })
    await assert.rejects(repository.page(byTitle, plain), { code: 'E_CURSOR_ORDER' })
    const token = Buffer.from('[null,1]').toString('base64url')
    const byFolder = repository.select().order(Orders.Asc, 'folder')
    for (const nulls of [false, true]) {
      const forged: Pagination = new Pagination({ cursor: token, nulls })
      await assert.rejects(repository.page(byFolder, forged), { code: 'E_CURSOR' })
    }
    assert.throws(() => Pagination.encode([null]), { code: 'E_CURSOR' })
  })

  test('each part of such a walk is a range of the index, not a sort of the table', async () => {
    const database = await open()
    const repository = await notes(database)
    const filler = Array.from({ length: 4000 }, (_, at) => ({
      title: at % 3 === 0 ? null : `f${at}`,
      folder: 0,
      done: false,
    }))
    await repository.insertMany(filler)
    if (name === 'postgres') await database.run({ sql: 'ANALYZE notes', parameters: [] })
    const byTitle = repository.select().order(Orders.Asc, 'title')
    const first: Pagination = new Pagination({ mode: 'cursor', limit: 5, nulls: true })
    await repository.page(byTitle, first)
    const pages = [first, new Pagination({ cursor: first.next ?? '', limit: 5, nulls: true })]
    for (const page of pages) {
      const { query } = repository.paginate(byTitle, page)
      const plan = (await explainSelect(database, query.sql)).join('\n')
      assert.doesNotMatch(
        plan,
        name === 'sqlite' ? /SCAN notes(?! USING)/ : /Seq Scan|ALL by no key, [34]/,
        plan,
      )
    }
  })
})
