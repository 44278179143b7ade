import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import * as fc from 'fast-check'
import type { Database } from '../../../src/database/surface.ts'
import { bigint, decimal, float, integer, key, text } from '../../../src/orm/entity/column.ts'
import { entity } from '../../../src/orm/entity/entity.ts'
import { Repository } from '../../../src/orm/repository.ts'
import { Operators } from '../../../src/database/sql/plan/operators.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'
import { createTables } from './create-tables.ts'

const Counters = entity('counters', {
  id: key.integer(),
  name: text(),
  views: integer(),
  bytes: bigint(),
  balance: decimal({ precision: 12, scale: 3 }),
  weight: float(),
  stock: integer().nullable(),
})

const max64 = 2n ** 63n - 1n
const range = { name: 'FrameworkError', code: 'E_INTEGER_RANGE' }

onEveryDatabase((_, open) => {
  let database: Database
  let counters: Repository<typeof Counters>
  before(async () => {
    database = await open()
    await createTables(database, (schema) =>
      schema.createTable('counters', (table) => {
        table.key('id')
        table.text('name')
        table.integer('views')
        table.bigint('bytes')
        table.decimal('balance', { precision: 12, scale: 3 })
        table.float('weight')
        table.integer('stock').nullable()
      }),
    )
    counters = new Repository(Counters, database)
  })
  beforeEach(() => counters.deleteAll(counters.select()))

  const zero = { name: 'a', views: 0, bytes: 0n, balance: '0.000', weight: 0 }

  test('an increment adds to every numeric kind exactly and returns the row', async () => {
    const row = await counters.insert({
      ...zero,
      views: 40,
      bytes: max64 - 5n,
      balance: '0.100',
      weight: 0.5,
    })
    const amounts = { views: 2, bytes: 5n, balance: '0.2', weight: -0.25, stock: 1 }
    const changed = await counters.increment(row.id, amounts)
    assert.deepEqual(changed, {
      ...row,
      views: 42,
      bytes: max64,
      balance: '0.300',
      weight: 0.25,
      stock: null,
    })
    assert.deepEqual(await counters.find(row.id), changed)
    const less = await counters.increment(row.id, { views: -50, balance: '-999.999' })
    assert.deepEqual([less?.views, less?.balance], [-8, '-999.699'])
    assert.equal(await counters.increment(row.id + 1, { views: 1 }), null)
  })

  test('a sum that does not fit its column is an error, and the row stays', async () => {
    const row = await counters.insert({
      ...zero,
      views: 2_147_483_000,
      bytes: max64,
      balance: '-999999999.999',
      weight: Number.MAX_VALUE,
    })
    await assert.rejects(counters.increment(row.id, { bytes: 1n }), range)
    await assert.rejects(counters.increment(row.id, { balance: '-0.001' }), range)
    await assert.rejects(counters.increment(row.id, { weight: Number.MAX_VALUE }), range)
    await assert.rejects(counters.increment(row.id, { views: 1, bytes: 1n }), range)
    const all = counters.select()
    await counters.insert(zero)
    await assert.rejects(counters.incrementAll(all, { bytes: 1n }), range)
    await assert.rejects(counters.incrementAll(all, { balance: '-0.001' }), range)
    assert.deepEqual(await counters.find(row.id), row)
    assert.equal(await counters.incrementAll(all, { bytes: -1n, balance: '0.001' }), 2)
  })

  test('concurrent increments are all counted', async () => {
    const { id } = await counters.insert(zero)
    const calls = Array.from({ length: 20 }, () => counters.increment(id, { views: 1, bytes: 2n }))
    const rows = await Promise.all(calls)
    assert.equal(new Set(rows.map((row) => row?.views)).size, 20)
    const row = await counters.find(id)
    assert.deepEqual([row?.views, row?.bytes], [20, 40n])
  })

  test('incrementAll changes the rows that match, also inside a transaction', async () => {
    await counters.insertMany([zero, { ...zero, name: 'b', stock: 1 }, { ...zero, name: 'b' }])
    await database.transaction(async (transaction) => {
      const inside = counters.using(transaction)
      const some = inside.select().filter('name', Operators.Equal, 'b')
      assert.equal(await inside.incrementAll(some, { views: 3, stock: 4 }), 2)
    })
    const rows = await counters.all()
    assert.deepEqual(
      rows.map(({ views, stock }) => [views, stock]),
      [
        [0, null],
        [3, 5],
        [3, null],
      ],
    )
  })

  test('wrong amounts are refused before anything is sent', async () => {
    const refused = (amounts: unknown, code: string): Promise<void> =>
      // @ts-expect-error not the type of amounts
      assert.rejects(counters.increment(1, amounts), { name: 'InvalidArgumentException', code })
    await refused({}, 'E_INVALID_ARGUMENT')
    await refused(undefined, 'E_INVALID_ARGUMENT')
    await refused({ views: 1.5 }, 'E_COLUMN_VALUE')
    await refused({ views: null }, 'E_COLUMN_VALUE')
    await refused({ stock: null }, 'E_COLUMN_VALUE')
    await refused({ balance: '0.0001' }, 'E_COLUMN_VALUE')
    await refused({ name: 'x' }, 'E_COLUMN')
    await refused({ id: 1 }, 'E_COLUMN')
    await refused({ nope: 1 }, 'E_COLUMN')
  })

  test('decimals add up exactly, whatever their digits', async () => {
    const { id } = await counters.insert(zero)
    let units = 0n
    const max = 10n ** 12n
    const amount = fc.bigInt({ min: -max / 2n, max: max / 2n })
    for (const change of fc.sample(amount, 60)) {
      if (units + change >= max || units + change <= -max) continue
      units += change
      const row = await counters.increment(id, { balance: thousandths(change) })
      assert.equal(row?.balance, thousandths(units))
    }
  })
})

function thousandths(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(4, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`
}
