import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Database } from '../../src/database/surface.ts'
import { compileDeferred, compileSelect } from '../../src/database/sql/write/compile-select.ts'
import { dialects } from '../support/dialects.ts'
import { keysetBinding, keysetValue } from '../../src/database/sql/values/keyset.ts'
import { Matches, Nulls, Operators, Orders } from '../../src/database/sql/plan/operators.ts'
import type { Ordering, SelectPlan } from '../../src/database/sql/plan/select-plan.ts'
import { by, compare, match, planOf, Posts } from '../support/sample-plans.ts'
import { createTable, insertRows, rawRows } from '../support/sample-tables.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

const { Asc, Desc } = Orders
const id = by('id', Asc)

const orders: readonly (readonly Ordering[])[] = [
  [id],
  [by('id', Desc)],
  [by('views', Asc), id],
  [by('views', Desc), by('id', Desc)],
  [by('views', Desc), id],
  [by('createdAt', Desc), id],
  [by('isOpen', Asc), by('views', Asc), id],
  [by('isOpen', Desc), by('title', Asc), id],
  [by('isOpen', Asc), by('views', Desc), by('createdAt', Desc), id],
  [by('title', Desc), by('views', Asc), by('createdAt', Desc), by('id', Desc)],
]

onEveryDatabase((name, open) => {
  const dialect = dialects[name]
  let database: Database
  before(async () => {
    database = await open()
    await createTable(database, Posts)
    const columns = ['title', 'views', 'isOpen', 'createdAt', 'note']
    await insertRows(
      database,
      Posts,
      columns,
      Array.from({ length: 60 }, (_, at) => post(at)),
    )
  })

  for (const orderings of orders) {
    const title = orderings.map(({ column, order }) => `${column.name} ${order}`).join(', ')

    test(`after each row in the order ${title} come the rows that follow it`, async () => {
      const all = await select(planOf(Posts, { orderings }))
      assert.equal(all.length, 60)
      for (const [at, row] of all.entries()) {
        if (at % 4 > 1) continue
        const seek = { orderings, values: position(orderings, row) }
        const page = planOf(Posts, { orderings, seek, limit: 7 })
        assert.deepEqual(await select(page), all.slice(at + 1, at + 8))
        assert.deepEqual(await select({ ...page, limit: null }), all.slice(at + 1))
        assert.deepEqual(await select({ ...page, offset: 2 }), all.slice(at + 3, at + 10))
      }
    })
  }

  test('conditions hold in every branch of a seek', async () => {
    const orderings = [by('views', Desc), id]
    const conditions = [
      compare('isOpen', Operators.IsTrue),
      match('title', Matches.StartsWith, 'title'),
    ]
    const all = await select(planOf(Posts, { orderings, conditions }))
    for (const [at, row] of all.entries()) {
      const seek = { orderings, values: position(orderings, row) }
      const page = planOf(Posts, { orderings, conditions, seek, limit: 4 })
      assert.deepEqual(await select(page), all.slice(at + 1, at + 5))
    }
  })

  test('a locked page is the same page', async () => {
    const orderings = [by('views', Desc), id]
    const all = await select(planOf(Posts, { orderings }))
    const seek = { orderings, values: position(orderings, all[9] ?? []) }
    for (const lock of ['update', 'share'] as const) {
      const page = planOf(Posts, { orderings, seek, limit: 4, lock })
      assert.deepEqual(await select(page), all.slice(10, 14))
    }
  })

  test('a deferred page is the page itself', async () => {
    for (const orderings of orders) {
      const conditions = [compare('views', Operators.Less, 5)]
      const plan = planOf(Posts, { orderings, conditions, limit: 6, offset: 20 })
      const page = await select(plan)
      assert.equal(page.length, 6)
      assert.deepEqual(await rawRows(database, compileDeferred(plan, dialect)), page)
    }
  })

  test('an offset alone skips the first rows', async () => {
    const all = await select(planOf(Posts, { orderings: [id] }))
    assert.deepEqual(await select(planOf(Posts, { orderings: [id], offset: 50 })), all.slice(50))
  })

  test('NULL is where the order puts it', async () => {
    for (const order of [Asc, Desc]) {
      for (const nulls of [Nulls.First, Nulls.Last]) {
        const columns = [Posts.column('note')]
        const orderings = [by('note', order, nulls), id]
        const notes = (await select(planOf(Posts, { columns, orderings }))).flat()
        const known = notes.filter((note) => note !== null).map(String)
        const sorted = known.toSorted()
        assert.deepEqual(known, order === Asc ? sorted : sorted.toReversed())
        assert.equal(notes.indexOf(null), nulls === Nulls.First ? 0 : known.length)
      }
    }
  })

  function select(plan: SelectPlan): Promise<readonly unknown[][]> {
    return rawRows(database, compileSelect(plan, dialect))
  }

  function position(orderings: readonly Ordering[], row: readonly unknown[]): unknown[] {
    return orderings.map(({ column }) => {
      const raw = row[Posts.columns.findIndex((candidate) => candidate === column)]
      return keysetBinding(column, keysetValue(column, raw, dialect), dialect)
    })
  }
})

// Few different values, so that every order has ties.
function post(at: number): unknown[] {
  const note = at % 3 === 0 ? null : `note ${at % 10}`
  return [`title ${at % 4}`, (at * 7) % 6, at % 5 < 2, new Date((at % 8) * 1000), note]
}
