import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createSecretKey } from 'node:crypto'
import type { Database } from '../../../src/database/surface.ts'
import { integer, key } from '../../../src/orm/entity/column.ts'
import { entity } from '../../../src/orm/entity/entity.ts'
import { Counts, Pagination } from '../../../src/orm/pagination/pagination.ts'
import { Repository } from '../../../src/orm/repository.ts'
import { Operators, Orders } from '../../../src/database/sql/plan/operators.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'
import { createTables } from './create-tables.ts'

const Marks = entity('marks', { id: key.integer(), rank: integer() })

onEveryDatabase((_, open) => {
  let database: Database
  let marks: Repository<typeof Marks>
  before(async () => {
    database = await open()
    await createTables(database, (schema) =>
      schema.createTable('marks', (table) => {
        table.key()
        table.integer('rank')
      }),
    )
    marks = new Repository(Marks, database)
    await marks.insertMany(Array.from({ length: 25 }, (__, rank) => ({ rank })))
  })

  test('a capped count stands beside a cursor, also in a transaction; an exact one does not', async () => {
    const some = marks.select().filter('rank', Operators.Less, 12)
    const walk = async (on: Repository<typeof Marks>, count: Counts, cap: number) => {
      const settings = { mode: 'cursor', limit: 5, count, cap } as const
      const { pagination, items } = await on.page(some, new Pagination(settings))
      const { total, approximate, pages } = pagination
      return [items.length, total, approximate, pages, pagination.next !== null]
    }
    assert.deepEqual(await walk(marks, Counts.Capped, 100), [5, 12, false, null, true])
    assert.deepEqual(await walk(marks, Counts.Capped, 10), [5, 10, true, null, true])
    assert.deepEqual(await walk(marks, Counts.Exact, 10), [5, null, false, null, true])
    await database.transaction(async (transaction) => {
      const inside = marks.using(transaction)
      assert.deepEqual(await walk(inside, Counts.Capped, 10), [5, 10, true, null, true])
    })
  })

  test('a total that is handed in is not counted, and the last page knows better', async () => {
    const read = async (page: number, total: number) => {
      const { pagination } = await marks.page(null, new Pagination({ page, limit: 10, total }))
      return [pagination.total, pagination.pages, pagination.more]
    }
    assert.equal(marks.paginate(null, new Pagination({ total: 5 })).count, null)
    assert.deepEqual(await read(1, 900), [900, 90, true])
    assert.deepEqual(await read(2, 5), [21, 3, true])
    assert.deepEqual(await read(3, 900), [25, 3, false])
    assert.throws(() => new Pagination({ total: -1 }), { code: 'E_PAGINATION' })
  })

  test('of several keys the first signs and all verify; another bound text does not fit', async () => {
    const [old = fail(), current = fail()] = [1, 2].map((byte) =>
      createSecretKey(Buffer.alloc(32, byte)),
    )
    const byRank = marks.select().order(Orders.Desc, 'rank')
    const first = new Pagination({ mode: 'cursor', limit: 3, signed: old, boundTo: 'three' })
    await marks.page(byRank, first)
    const cursor = first.next ?? fail()
    const next = { cursor, limit: 3, signed: [current, old], boundTo: 'three' }
    const second = await marks.page(byRank, new Pagination(next))
    assert.deepEqual(
      second.items.map(({ rank }) => rank),
      [21, 20, 19],
    )
    for (const change of [{ signed: current }, { boundTo: 'four' }, { boundTo: '' }]) {
      const page = new Pagination({ ...next, ...change })
      await assert.rejects(marks.page(byRank, page), { code: 'E_CURSOR' })
    }
  })
})

function fail(): never {
  return assert.fail()
}
