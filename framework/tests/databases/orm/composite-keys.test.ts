import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import type { Database } from '../../../src/database/surface.ts'
import { integer, key, text, version } from '../../../src/orm/entity/column.ts'
import { entity } from '../../../src/orm/entity/entity.ts'
import { Modes, Pagination } from '../../../src/orm/pagination/pagination.ts'
import { belongsTo, hasMany, manyToMany } from '../../../src/orm/relations/relation.ts'
import { Repository } from '../../../src/orm/repository.ts'
import { Operators, Orders } from '../../../src/database/sql/plan/operators.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'
import { createTables } from './create-tables.ts'

const Invoices = entity('invoices', {
  id: key.integer(),
  name: text(),
  get lines() {
    return hasMany(() => Lines, 'invoiceId')
  },
})
const Lines = entity('lines', {
  invoiceId: key.integer(),
  line: key.text(),
  amount: integer(),
  note: text().nullable(),
  version: version(),
  invoice: belongsTo(() => Invoices, 'invoiceId'),
})
type Lines = typeof Lines

onEveryDatabase((_, open) => {
  let database: Database
  let invoices: Repository<typeof Invoices>
  let lines: Repository<Lines>
  before(async () => {
    database = await open()
    await createTables(database, async (schema) => {
      await schema.createTable('invoices', (table) => {
        table.key('id')
        table.text('name')
      })
      await schema.createTable('lines', (table) => {
        table.references('invoice_id', 'invoices')
        table.text('line', { length: 40 })
        table.integer('amount')
        table.text('note').nullable()
        table.integer('version')
        table.primary(['invoice_id', 'line'])
      })
    })
    invoices = new Repository(Invoices, database)
    lines = new Repository(Lines, database)
    await invoices.insertMany([
      { id: 1, name: 'one' },
      { id: 2, name: 'two' },
    ])
  })
  beforeEach(async () => {
    await lines.deleteAll(lines.select())
    await lines.insertMany([
      { invoiceId: 1, line: 'a', amount: 5 },
      { invoiceId: 1, line: 'b', amount: 5 },
      { invoiceId: 2, line: 'a', amount: 5 },
      { invoiceId: 2, line: 'b', amount: 7, note: 'x' },
      { invoiceId: 2, line: 'c', amount: 5 },
    ])
  })

  const names = (rows: readonly { readonly invoiceId: number; readonly line: string }[]) =>
    rows.map(({ invoiceId, line }) => `${invoiceId}${line}`)

  test('a row is found, changed, counted and deleted by its whole key', async () => {
    const id = { invoiceId: 2, line: 'a' }
    const row = await lines.find(id)
    assert.deepEqual(row, { ...id, amount: 5, note: null, version: 1 })
    assert.equal((await lines.update(id, { amount: 6, version: 1 }))?.amount, 6)
    await assert.rejects(lines.update(id, { amount: 9, version: 1 }), { code: 'E_STALE_ROW' })
    assert.equal((await lines.increment(id, { amount: 4 }))?.amount, 10)
    assert.equal(await lines.find({ invoiceId: 3, line: 'a' }), null)
    assert.equal(await lines.delete(id), true)
    assert.equal(await lines.delete(id), false)
    assert.deepEqual(names(await lines.all()).toSorted(), ['1a', '1b', '2b', '2c'])
  })

  test('a part of the key can change', async () => {
    const moved = await lines.update({ invoiceId: 1, line: 'b' }, { line: 'z', amount: 1 })
    assert.deepEqual([moved?.line, moved?.amount], ['z', 1])
    assert.equal(await lines.find({ invoiceId: 1, line: 'b' }), null)
    assert.deepEqual(await lines.find({ invoiceId: 1, line: 'z' }), moved)
  })

  test('an upsert goes by the whole key', async () => {
    const by = ['invoiceId', 'line'] as const
    await lines.upsert({ invoiceId: 1, line: 'a', amount: 9 }, { by })
    const rows = await lines.upsertMany(
      [
        { invoiceId: 1, line: 'c', amount: 1 },
        { invoiceId: 2, line: 'c', amount: 2 },
      ],
      { by },
    )
    assert.deepEqual(
      rows.map(({ amount, version: count }) => [amount, count]),
      [
        [1, 1],
        [2, 2],
      ],
    )
    assert.equal((await lines.find({ invoiceId: 1, line: 'a' }))?.amount, 9)
    assert.equal(await lines.count(), 6)
  })

  test('without an order the first row has the lowest key', async () => {
    const first = await lines.first(lines.select().filter('invoiceId', Operators.Equal, 2))
    assert.equal(first?.line, 'a')
    assert.equal(await lines.exists(), true)
  })

  test('pages and cursors of any order show every row once', async () => {
    const orders = [
      lines.select(),
      lines.select().order(Orders.Desc, 'amount'),
      lines.select().order(Orders.Asc, 'line'),
      lines.select().order(Orders.Desc, 'line').order(Orders.Asc, 'amount'),
      lines.select().order(Orders.Desc, 'line').order(Orders.Desc, 'invoiceId'),
    ]
    const expected = [
      ['1a', '1b', '2a', '2b', '2c'],
      ['2b', '2c', '2a', '1b', '1a'],
      ['1a', '2a', '1b', '2b', '2c'],
      ['2c', '1b', '2b', '1a', '2a'],
      ['2c', '2b', '1b', '2a', '1a'],
    ]
    for (const [at, selection] of orders.entries()) {
      const walked: string[] = []
      for await (const row of lines.walk(selection, { size: 2 })) walked.push(...names([row]))
      assert.deepEqual(walked, expected[at], `walk ${at}`)
      const paged: string[] = []
      for (const page of [1, 2, 3]) {
        const { items } = await lines.page(selection, new Pagination({ page, limit: 2 }))
        paged.push(...names(items))
      }
      assert.deepEqual(paged, expected[at], `pages ${at}`)
      const deep = new Pagination({ page: 2, limit: 2, deferred: 1 })
      assert.deepEqual(names((await lines.page(selection, deep)).items), expected[at]?.slice(2, 4))
      await backAndForth(selection, expected[at] ?? [])
    }
  })

  async function backAndForth(
    selection: ReturnType<typeof lines.select>,
    expected: readonly string[],
  ): Promise<void> {
    const first = await lines.page(selection, new Pagination({ mode: Modes.Cursor, limit: 3 }))
    const cursor = first.pagination.next ?? ''
    const next = await lines.page(selection, new Pagination({ cursor, limit: 3, backward: true }))
    assert.deepEqual(names(next.items), expected.slice(3))
    const before = next.pagination.previous ?? ''
    const back = await lines.page(selection, new Pagination({ before, limit: 3 }))
    assert.deepEqual(names(back.items), expected.slice(0, 3))
  }

  test('a cursor needs the values of all key columns', async () => {
    const cursor = Pagination.encode([5, 1])
    const selection = lines.select().order(Orders.Asc, 'amount')
    await assert.rejects(lines.page(selection, new Pagination({ cursor })), {
      code: 'E_CURSOR',
    })
  })

  test('a row that is part of another has both relations', async () => {
    const rows = await invoices.all(invoices.select().with('lines').order(Orders.Asc, 'id'))
    assert.deepEqual(
      rows.map((row) => names(row.lines)),
      [
        ['1a', '1b'],
        ['2a', '2b', '2c'],
      ],
    )
    const [line] = await lines.all(lines.select().with('invoice').order(Orders.Desc, 'invoiceId'))
    assert.equal(line?.invoice.name, 'two')
  })

  test('a relation by a key of several columns is refused with a sentence', async () => {
    const Bad = entity('invoices', {
      id: key.integer(),
      line: belongsTo(() => Lines).nullable(),
    })
    const refusal = {
      name: 'InvalidArgumentException',
      code: 'E_RELATION',
      message:
        /the key of lines is invoiceId and line, but a relation refers to a key of one column/,
    }
    await assert.rejects(async () => new Repository(Bad, database).all(), refusal)
    const Tagged = entity('lines', {
      invoiceId: key.integer(),
      line: key.text(),
      notes: manyToMany(() => Invoices, { through: 'x', source: 'a', target: 'b' }),
      parts: hasMany(() => Lines, 'line'),
    })
    const tagged = new Repository(Tagged, database)
    await assert.rejects(
      async () => tagged.attach({ invoiceId: 1, line: 'a' }, 'notes', [1]),
      refusal,
    )
    // @ts-expect-error a relation refers to a key of one column
    await assert.rejects(async () => tagged.all(tagged.select().with('parts')), refusal)
  })

  test('an incomplete key, and a new row without a part of it, are refused', async () => {
    const refused = (key_: unknown): Promise<void> =>
      // @ts-expect-error not a key
      assert.rejects(lines.find(key_), {
        name: 'InvalidArgumentException',
        code: 'E_COLUMN_VALUE',
      })
    await refused(1)
    await refused(null)
    await refused({ invoiceId: 1 })
    await refused({ invoiceId: 1, line: null })
    // @ts-expect-error the key is not complete
    await assert.rejects(lines.insert({ line: 'a', amount: 1 }), {
      code: 'E_INVALID_ARGUMENT',
      message: /a new row needs invoiceId/,
    })
  })
})
