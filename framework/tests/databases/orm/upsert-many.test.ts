import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { decimal, integer, key, text } from '../../../src/orm/entity/column.ts'
import { entity } from '../../../src/orm/entity/entity.ts'
import { Repository } from '../../../src/orm/repository.ts'
import { Operators } from '../../../src/database/sql/plan/operators.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'
import { createTables } from './create-tables.ts'

const Prices = entity('prices', {
  id: key.integer(),
  shop: text(),
  article: text(),
  price: decimal({ precision: 10, scale: 2 }),
  stock: integer().optional(),
})

onEveryDatabase((_, open) => {
  let prices: Repository<typeof Prices>
  before(async () => {
    const database = await open()
    await createTables(database, (schema) =>
      schema.createTable('prices', (table) => {
        table.key('id')
        table.text('shop', { length: 80 })
        table.text('article', { length: 80 })
        table.decimal('price', { precision: 10, scale: 2 })
        table.integer('stock').default(7)
        table.unique(['shop', 'article'])
      }),
    )
    prices = new Repository(Prices, database)
  })
  beforeEach(() => prices.deleteAll(prices.select()))

  const by = ['shop', 'article'] as const

  test('new rows are inserted and existing ones updated, returned in the order of the list', async () => {
    const [old] = await prices.insertMany([{ shop: 'a', article: 'ink', price: '1.00', stock: 1 }])
    const rows = await prices.upsertMany(
      [
        { shop: 'b', article: 'ink', price: '2.00' },
        { shop: 'a', article: 'ink', price: '3.00' },
        { shop: 'a', article: 'pen', price: '4.00', stock: 2 },
        { shop: 'c', article: 'pen', price: '5.00' },
      ],
      { by },
    )
    assert.deepEqual(
      rows.map(({ shop, article, price, stock }) => [shop, article, price, stock]),
      [
        ['b', 'ink', '2.00', 7],
        ['a', 'ink', '3.00', 1],
        ['a', 'pen', '4.00', 2],
        ['c', 'pen', '5.00', 7],
      ],
    )
    assert.equal(rows[1]?.id, old?.id)
    assert.equal(await prices.count(), 4)
  })

  test('only the named columns are updated', async () => {
    await prices.insert({ shop: 'a', article: 'ink', price: '1.00', stock: 1 })
    const list = [{ shop: 'a', article: 'ink', price: '9.00', stock: 5 }]
    const [row] = await prices.upsertMany(list, { by, update: ['stock'] })
    assert.deepEqual([row?.price, row?.stock], ['1.00', 5])
    const [kept] = await prices.upsertMany(list, { by, update: [] })
    assert.deepEqual(kept, row)
  })

  test('a long list takes several statements, in order, all or none', async () => {
    const list = priced('1.00')
    const rows = await prices.upsertMany(list, { by })
    assert.deepEqual(
      rows.map(({ article }) => article),
      list.map(({ article }) => article),
    )
    const tooLong = { shop: 'x'.repeat(81), article: 'ink', price: '9.00' }
    const broken = [...priced('9.00'), tooLong]
    await assert.rejects(prices.upsertMany(broken, { by }), { name: 'DatabaseError' })
    assert.equal(await prices.count(prices.select().filter('price', Operators.Equal, '9.00')), 0)
    const updated = await prices.upsertMany(priced('2.00'), { by })
    assert.deepEqual(
      updated.map(({ id, price }) => [id, price]),
      rows.map(({ id }) => [id, '2.00']),
    )
  })

  test('two rows with the same identity are refused, and nothing is written', async () => {
    const list = [
      { shop: 'a', article: 'ink', price: '1.00' },
      { shop: 'a', article: 'pen', price: '1.00' },
      { shop: 'a', article: 'ink', price: '2.00' },
    ]
    await assert.rejects(prices.upsertMany(list, { by }), {
      name: 'InvalidArgumentException',
      code: 'E_INVALID_ARGUMENT',
      message: /at 0 and 2 of the list have the same shop, article/,
    })
    assert.equal(await prices.count(), 0)
    assert.deepEqual(await prices.upsertMany([], { by }), [])
  })

  test('options without `by`, and a list that is none, are refused', async () => {
    const refusal = { name: 'InvalidArgumentException', code: 'E_INVALID_ARGUMENT' }
    // @ts-expect-error options are required
    await assert.rejects(prices.upsertMany([]), refusal)
    // @ts-expect-error at least one column
    await assert.rejects(prices.upsertMany([], { by: [] }), refusal)
    // @ts-expect-error a list
    await assert.rejects(prices.upsertMany({ shop: 'a' }, { by }), refusal)
    // @ts-expect-error a list
    await assert.rejects(prices.insertMany(null), refusal)
  })
})

function priced(price: string): { shop: string; article: string; price: string }[] {
  return Array.from({ length: 2_500 }, (_, at) => ({ shop: 'a', article: `article ${at}`, price }))
}
