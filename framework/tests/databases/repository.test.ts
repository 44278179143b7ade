import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { integer, key } from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import { Repository } from '../../src/orm/repository.ts'
import { Operators, Orders } from '../../src/database/sql/plan/operators.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { verbs } from './sent-statements.ts'
import { openStationery } from './stationery.ts'
import type { Stationery } from './stationery.ts'

const plain = {
  barcode: null,
  price: null,
  weight: null,
  isSold: null,
  addedAt: null,
  soldAt: null,
  details: null,
  picture: null,
}

onEveryDatabase((name, _, create) => {
  let shop: Stationery
  before(async () => {
    shop = await openStationery(create)
  })
  after(() => shop.database.close())
  beforeEach(() => shop.articles.deleteAll(shop.articles.select()))

  describe('insert', () => {
    test('returns the row as stored, with the values filled in by the database', async () => {
      const ink = await shop.articles.insert({ name: 'ink' })
      const pen = await shop.articles.insert({ name: 'pen', stock: 3 })
      assert.ok(Number.isSafeInteger(ink.id))
      assert.deepEqual(ink, { id: ink.id, name: 'ink', stock: 10, ...plain })
      assert.deepEqual(pen, { id: ink.id + 1, name: 'pen', stock: 3, ...plain })
      assert.deepEqual(await shop.articles.find(pen.id), pen)
    })

    test('stores every kind of value exactly', async () => {
      const given = {
        id: 700,
        name: `Ünïcödé 🖋 '; DROP TABLE articles; -- \\ % _ "`,
        stock: -2_147_483_648,
        barcode: 9_223_372_036_854_775_807n,
        price: '123456789.125',
        weight: 0.1 + 0.2,
        isSold: true,
        addedAt: new Date('2026-01-31T23:59:59.987Z'),
        soldAt: '2026-02-28 01:02:03.123456',
        details: { colours: ['blue', 'größer', '\u2028'] },
        picture: Uint8Array.of(0, 255, 10, 92, 39),
      }
      const row = await shop.articles.insert(given)
      assert.deepEqual(row, given)
      assert.deepEqual(await shop.articles.find(700), given)
      assert.deepEqual(Object.keys(row), Object.keys(given))
    })

    test('fails with the code of the problem', async () => {
      await shop.articles.insert({ name: 'ink' })
      await assert.rejects(shop.articles.insert({ name: 'ink' }), {
        name: 'DatabaseError',
        code: 'E_DUPLICATE_KEY',
      })
    })
  })

  describe('insertMany', () => {
    test('returns the rows in the order of the list, whichever columns they have', async () => {
      const list = [{ name: 'c' }, { name: 'a', stock: 1 }, { name: 'b', stock: 2 }, { name: 'd' }]
      const rows = await shop.articles.insertMany(list)
      assert.deepEqual(
        rows.map((row) => [row.name, row.stock]),
        [
          ['c', 10],
          ['a', 1],
          ['b', 2],
          ['d', 10],
        ],
      )
      const ids = rows.map(({ id }) => id)
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => a - b),
      )
    })

    test('sends one insert if possible, otherwise a transaction of as few as possible', async () => {
      const list = Array.from({ length: 2_500 }, (_, index) => ({ name: `n${index}` }))
      const few = await shop.sent.during(() => shop.articles.insertMany(list.slice(0, 1_000)))
      assert.deepEqual(verbs(few), ['INSERT'])
      await shop.articles.deleteAll(shop.articles.select())
      const many = await shop.sent.during(async () => {
        const rows = await shop.articles.insertMany(list)
        assert.deepEqual(
          rows.map((row) => row.name),
          list.map((row) => row.name),
        )
      })
      assert.equal(verbs(many).filter((verb) => verb === 'INSERT').length, 3)
      assert.equal(many.at(-1), 'COMMIT')
    })

    test('writes all rows or none', async () => {
      const list = Array.from({ length: 1_500 }, (_, index) => ({ name: `n${index}` }))
      const twice = [...list, { name: 'n0' }]
      await assert.rejects(shop.articles.insertMany(twice), { code: 'E_DUPLICATE_KEY' })
      assert.equal(await shop.articles.count(), 0)
    })

    test('inside a transaction is rolled back alone', async () => {
      const list = Array.from({ length: 1_500 }, (_, index) => ({ name: `n${index}` }))
      await shop.database.transaction(async (transaction) => {
        const articles = shop.articles.using(transaction)
        await articles.insert({ name: 'kept' })
        const failing = articles.insertMany([...list, { name: 'n0' }])
        await assert.rejects(failing, { code: 'E_DUPLICATE_KEY' })
        await articles.insert({ name: 'kept too' })
      })
      assert.equal(await shop.articles.count(), 2)
    })
  })

  describe('find, first, all, count and exists', () => {
    beforeEach(() =>
      shop.articles.insertMany([
        { name: 'ink', stock: 3 },
        { name: 'pen', stock: 1 },
        { name: 'cap', stock: 2 },
      ]),
    )

    test('find returns null if there is no row', async () => {
      assert.equal(await shop.articles.find(999_999), null)
    })

    test('first returns the first row of the order, and without one the lowest key', async () => {
      const { articles } = shop
      const most = await articles.first(articles.select().order(Orders.Desc, 'stock'))
      assert.equal(most?.name, 'ink')
      await articles.insertMany([
        { id: -1, name: 'late' },
        { id: -2, name: 'lowest' },
      ])
      assert.equal((await articles.first())?.name, 'lowest')
      const second = articles.select().order(Orders.Asc, 'stock').offset(1)
      assert.equal((await articles.first(second))?.name, 'cap')
      assert.equal(await articles.first(articles.select().limit(0)), null)
      const none = articles.select().filter('stock', Operators.Greater, 99)
      assert.equal(await articles.first(none), null)
    })

    test('all returns the rows of a selection, which is not changed', async () => {
      const { articles } = shop
      const selection = articles
        .select()
        .filter('stock', Operators.GreaterOrEqual, 2)
        .order(Orders.Asc, 'name')
      for (let round = 0; round < 2; round += 1) {
        const rows = await articles.all(selection)
        assert.deepEqual(
          rows.map((row) => row.name),
          ['cap', 'ink'],
        )
      }
      assert.equal((await articles.all()).length, 3)
    })

    test('count is a number and considers only conditions', async () => {
      const { articles } = shop
      assert.equal(await articles.count(), 3)
      const some = articles.select().filter('stock', Operators.Less, 3)
      assert.equal(await articles.count(some), 2)
      assert.equal(await articles.count(some.limit(1).offset(1).order(Orders.Asc, 'name')), 2)
    })

    test('exists uses one query that reads at most one row', async () => {
      const { articles } = shop
      assert.equal(await articles.exists(), true)
      const ink = articles.select().filter('name', Operators.Equal, 'ink')
      assert.equal(await articles.exists(ink), true)
      assert.equal(await articles.exists(ink.offset(1)), false)
      const none = articles.select().filter('name', Operators.Equal, 'glue')
      assert.equal(await articles.exists(none), false)
    })
  })

  describe('upsert', () => {
    test('inserts a new row or updates the existing one, and returns it either way', async () => {
      const { articles } = shop
      const first = await articles.upsert({ name: 'ink', stock: 1 }, { by: ['name'] })
      const second = await articles.upsert(
        { name: 'ink', stock: 2, price: '1.500' },
        { by: ['name'] },
      )
      assert.deepEqual(second, { ...first, stock: 2, price: '1.500' })
      assert.equal(await articles.count(), 1)
    })

    test('updates only the named columns, or none', async () => {
      const { articles } = shop
      const ink = await articles.insert({ name: 'ink', stock: 1, weight: 5 })
      const news = { name: 'ink', stock: 2, weight: 6 }
      const some = await articles.upsert(news, { by: ['name'], update: ['weight'] })
      assert.deepEqual(some, { ...ink, weight: 6 })
      const none = await articles.upsert(news, { by: ['name'], update: [] })
      assert.deepEqual(none, some)
      assert.deepEqual(await articles.upsert({ name: 'ink' }, { by: ['name'] }), some)
    })

    test('by the key keeps the key', async () => {
      const { articles } = shop
      const ink = await articles.insert({ name: 'ink' })
      const moved = await articles.upsert({ id: ink.id, name: 'blue ink' }, { by: ['id'] })
      assert.deepEqual(moved, { ...ink, name: 'blue ink' })
    })

    test('of one name from many connections concurrently creates one row', async () => {
      const { articles } = shop
      const sides = Array.from({ length: 12 }, (_, index) =>
        articles.upsert({ name: 'ink', stock: index }, { by: ['name'] }),
      )
      const ids = new Set((await Promise.all(sides)).map(({ id }) => id))
      assert.equal(ids.size, 1)
      assert.equal(await articles.count(), 1)
    })
  })

  describe('update', () => {
    test('changes the given columns and returns the row', async () => {
      const { articles } = shop
      const ink = await articles.insert({ name: 'ink', weight: 1 })
      const pen = await articles.insert({ name: 'pen' })
      const changed = await articles.update(ink.id, { stock: 4, weight: null })
      assert.deepEqual(changed, { ...ink, stock: 4, weight: null })
      assert.deepEqual(await articles.find(pen.id), pen)
    })

    test('returns the row also if it already has these values', async () => {
      const { articles } = shop
      const ink = await articles.insert({ name: 'ink' })
      assert.deepEqual(await articles.update(ink.id, { name: 'ink', stock: 10 }), ink)
      assert.deepEqual(await articles.update(ink.id, {}), ink)
    })

    test('returns the row under its new key', async () => {
      const { articles } = shop
      const ink = await articles.insert({ name: 'ink' })
      assert.deepEqual(await articles.update(ink.id, { id: 4_242 }), { ...ink, id: 4_242 })
      assert.equal(await articles.find(ink.id), null)
    })

    test('returns null if there is no row, also if there is one with the new key', async () => {
      const { articles } = shop
      const ink = await articles.insert({ name: 'ink' })
      assert.equal(await articles.update(999_999, { stock: 1 }), null)
      assert.equal(await articles.update(999_999, {}), null)
      assert.equal(await articles.update(999_999, { id: ink.id }), null)
    })

    test('is one statement where the database can return the row, otherwise reads it in a transaction', async () => {
      const { articles, database } = shop
      const { id } = await articles.insert({ name: 'ink' })
      const alone = await shop.sent.during(() => articles.update(id, { stock: 1 }))
      const together = await shop.sent.during(() =>
        database.transaction((transaction) => articles.using(transaction).update(id, { stock: 2 })),
      )
      const inside = verbs(together).filter((verb) => !['BEGIN', 'START', 'COMMIT'].includes(verb))
      if (name === 'mariadb') {
        assert.deepEqual(verbs(alone), ['START', 'UPDATE', 'SELECT', 'COMMIT'])
        assert.deepEqual(inside, ['UPDATE', 'SELECT'])
      } else {
        assert.deepEqual(verbs(alone), ['UPDATE'])
        assert.deepEqual(inside, ['UPDATE'])
      }
    })

    test('that fails changes nothing', async () => {
      const { articles } = shop
      const ink = await articles.insert({ name: 'ink' })
      await articles.insert({ name: 'pen' })
      const failing = articles.update(ink.id, { name: 'pen', stock: 0 })
      await assert.rejects(failing, { code: 'E_DUPLICATE_KEY' })
      assert.deepEqual(await articles.find(ink.id), ink)
    })
  })

  describe('updateAll, delete and deleteAll', () => {
    beforeEach(() =>
      shop.articles.insertMany([
        { name: 'ink', stock: 3 },
        { name: 'pen', stock: 1 },
        { name: 'cap', stock: 1 },
      ]),
    )

    test('updateAll changes the rows that match and counts them, changed or not', async () => {
      const { articles } = shop
      const low = articles.select().filter('stock', Operators.Equal, 1)
      assert.equal(await articles.updateAll(low, { weight: 2 }), 2)
      assert.equal(await articles.updateAll(low, { weight: 2 }), 2)
      assert.equal(await articles.count(articles.select().filter('weight', Operators.Equal, 2)), 2)
      assert.equal(await articles.updateAll(articles.select(), { isSold: true }), 3)
    })

    test('delete returns whether there was a row', async () => {
      const { articles } = shop
      const ink = await articles.first()
      assert.ok(ink)
      assert.equal(await articles.delete(ink.id), true)
      assert.equal(await articles.delete(ink.id), false)
      assert.equal(await articles.count(), 2)
    })

    test('deleteAll deletes the rows that match and counts them', async () => {
      const { articles } = shop
      const low = articles.select().filter('stock', Operators.Equal, 1)
      assert.equal(await articles.deleteAll(low), 2)
      assert.equal(await articles.deleteAll(low), 0)
      assert.equal(await articles.count(), 1)
    })
  })

  test('a whole number beyond 2^53 is an error in an integer column, never a wrong digit', async () => {
    const { articles, database } = shop
    const { id } = await articles.insert({ name: 'ink', barcode: 2n ** 53n + 1n })
    const Narrow = entity('articles', { id: key.integer(), barcode: integer() })
    await assert.rejects(new Repository(Narrow, database).find(id), {
      name: 'FrameworkError',
      code: 'E_INTEGER_RANGE',
      message: /barcode.*bigint\(\)/,
    })
  })

  test('rows locked by a transaction cannot be changed by others meanwhile', async () => {
    const { articles, database } = shop
    const { id } = await articles.insert({ name: 'ink', stock: 0 })
    const one = articles.select().filter('id', Operators.Equal, id).lock()
    const addOne = (): Promise<unknown> =>
      database.transaction(async (transaction) => {
        const inside = articles.using(transaction)
        const row = await inside.first(one)
        return inside.update(id, { stock: (row?.stock ?? 0) + 1 })
      })
    await Promise.all(Array.from({ length: 8 }, addOne))
    assert.equal((await articles.find(id))?.stock, 8)
  })
})
