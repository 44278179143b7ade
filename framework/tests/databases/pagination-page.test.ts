import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BridgeError } from '../../src/database/database-error.ts'
import { Awaiting } from '../../src/orm/pagination/paginated.ts'
import { key } from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import { Pagination } from '../../src/orm/pagination/pagination.ts'
import { Repository } from '../../src/orm/repository.ts'
import { Matches, Nulls, Operators, Orders } from '../../src/database/sql/plan/operators.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { openLibrary } from './library.ts'
import type { Library } from './library.ts'

const idsOf = (rows: Iterable<{ readonly id: number }>): number[] =>
  Array.from(rows, ({ id }) => id)

const isCount = (statement: string): boolean => statement.includes('COUNT(*)')

onEveryDatabase((dialect, _open, create) => {
  let library: Library
  before(async () => {
    library = await openLibrary(create)
  })
  after(() => library.database.close())

  test('a page is a slice of the order, with the total, the pages and whether there is more', async () => {
    const { books } = library
    const pagination = new Pagination({ limit: 10, page: 2 })
    const page = await books.page(null, pagination)
    assert.deepEqual(idsOf(page), [11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
    assert.equal(page.pagination, pagination)
    assert.deepEqual([pagination.total, pagination.pages, pagination.more], [25, 3, true])
    assert.deepEqual([pagination.next, pagination.previous], [null, null])
    const [first] = page.items
    assert.equal(first?.barcode, 9_007_199_254_741_004n)
    assert.equal(first?.price, '2.11')
    assert.deepEqual(first?.addedAt, new Date('2026-01-31T12:00:00.123Z'))
  })

  test('without a pagination it is the first page of ten', async () => {
    const { items, pagination } = await library.books.page()
    assert.equal(items.length, 10)
    assert.deepEqual([pagination.limit, pagination.page, pagination.total], [10, null, 25])
  })

  test('a page beyond the end is empty and has the total', async () => {
    const { items, pagination } = await library.books.page(
      null,
      new Pagination({ page: 1_000_000_000 }),
    )
    assert.deepEqual(items, [])
    assert.deepEqual([pagination.total, pagination.pages, pagination.more], [25, 3, false])
  })

  test('an empty selection has 0 pages', async () => {
    const none = library.books.select().filter('shelf', Operators.Greater, 100)
    const { items, pagination } = await library.books.page(none)
    assert.deepEqual(items, [])
    assert.deepEqual([pagination.total, pagination.pages, pagination.more], [0, 0, false])
  })

  test('the total is that of the filters, matches and scope, whatever the page', async () => {
    const { books } = library
    const selection = books
      .select()
      .filter('shelf', Operators.Less, 3)
      .match('title', Matches.StartsWith, 'Title 1')
    const { pagination } = await books.page(
      selection,
      new Pagination({ limit: 2, page: 2 }),
      (scoped) => scoped.filter('id', Operators.Greater, 3),
    )
    const rows = await books.all(selection)
    assert.equal(pagination.total, rows.filter(({ id }) => id > 3).length)
    assert.equal(typeof pagination.total, 'number')
  })

  test('the key breaks ties in the direction of the order', async () => {
    const { books } = library
    const byShelf = books.select().order(Orders.Desc, 'shelf')
    const seen: number[] = []
    for (let page = 1; page <= 9; page += 1) {
      seen.push(...idsOf(await books.page(byShelf, new Pagination({ limit: 3, page }))))
    }
    const expected = [4, 3, 2, 1, 0].flatMap((shelf) =>
      Array.from({ length: 25 }, (_, index) => 25 - index).filter((id) => id % 5 === shelf),
    )
    assert.deepEqual(seen, expected)
    const byKey = books.select().order(Orders.Desc, 'shelf').order(Orders.Asc, 'id')
    assert.deepEqual(idsOf(await books.page(byKey, new Pagination({ limit: 2 }))), [4, 9])
    const ascending = books.select().order(Orders.Asc, 'shelf')
    assert.deepEqual(idsOf(await books.page(ascending, new Pagination({ limit: 2 }))), [5, 10])
  })

  test('an order with NULLs is fine in page mode', async () => {
    const byNote = library.books.select().order(Orders.Asc, 'note', Nulls.Last)
    assert.equal((await library.books.page(byNote)).items.length, 10)
  })

  test('the items and one COUNT are all that is sent, together', async () => {
    library.forget()
    const operation = library.books.paginate()
    assert.ok(typeof operation.count === 'object' && operation.count !== null)
    const { pagination } = await Awaiting.hydrate(library.books, operation)
    assert.equal(pagination.total, 25)
    assert.equal(library.statements().length, 2)
    assert.equal(library.statements().filter(isCount).length, 1)
  })

  test('hydrate never waits: it works on SQLite and is rejected on asynchronous databases', async () => {
    const { books } = library
    const operation = books.paginate()
    if (dialect === 'sqlite') {
      assert.equal(books.hydrate(operation).pagination.total, 25)
      return
    }
    assert.throws(() => books.hydrate(operation), BridgeError)
    const { count } = operation
    await operation.settled()
    if (typeof count === 'object') await count?.settled()
    assert.throws(() => books.hydrate(operation), { code: 'E_BRIDGE' })
    assert.equal((await Awaiting.hydrate(books, operation)).pagination.total, 25)
  })

  test('in a transaction the COUNT is sent only at hydration', async () => {
    await library.database.transaction(async (transaction) => {
      const books = library.books.using(transaction)
      const operation = books.paginate(null, new Pagination({ limit: 4 }))
      assert.equal(operation.count, 'deferred')
      await operation.settled()
      library.forget()
      await transaction.run({ sql: 'SELECT 1 AS one', parameters: [] })
      assert.deepEqual(library.statements().filter(isCount), [])
      const page = await Awaiting.hydrate(books, operation)
      assert.deepEqual(idsOf(page), [1, 2, 3, 4])
      assert.equal(page.pagination.total, 25)
      await transaction.run({ sql: 'SELECT 1 AS one', parameters: [] })
      assert.equal(library.statements().filter(isCount).length, 1)
    })
  })

  test('a page in a transaction sees the changes of the transaction', async () => {
    await assert.rejects(
      library.database.transaction(async (transaction) => {
        const books = library.books.using(transaction)
        await books.delete(1)
        const { items, pagination } = await books.page(books.select().with('author'))
        assert.deepEqual([items[0]?.id, pagination.total], [2, 24])
        throw new Error('undo')
      }),
      /undo/,
    )
    assert.equal((await library.books.page()).pagination.total, 25)
  })

  test('relations of a page take one query each, after the page', async () => {
    library.forget()
    const { books } = library
    const { items } = await books.page(books.select().with('author'), new Pagination({ limit: 3 }))
    assert.deepEqual(
      items.map(({ author }) => author.name),
      ['Ben', 'Ada', 'Ben'],
    )
    assert.equal(library.statements().length, 3)
  })

  test('a page beyond the deferred threshold has the same rows', async () => {
    const { books } = library
    const selection = books
      .select()
      .filter('shelf', Operators.Unequal, 2)
      .order(Orders.Desc, 'shelf')
      .order(Orders.Asc, 'title')
    for (const page of [2, 3, 5]) {
      const plain = await books.page(selection, new Pagination({ limit: 5, page }))
      library.forget()
      const deferred = await books.page(selection, new Pagination({ limit: 5, page, deferred: 4 }))
      assert.deepEqual(deferred.items, plain.items)
      assert.equal(deferred.pagination.total, 20)
      assert.match(library.statements().join('\n'), /JOIN/)
    }
  })

  test('a page that fails reports why, and one that is not awaited causes no harm', async () => {
    const Missing = entity('missing', { id: key.integer() })
    const missing = new Repository(Missing, library.database)
    missing.paginate()
    await assert.rejects(missing.page(), { code: 'E_STATEMENT' })
    await library.database
      .transaction(async (transaction) => {
        await assert.rejects(missing.using(transaction).page(), { code: 'E_STATEMENT' })
      })
      .catch(() => undefined)
    assert.equal((await library.books.page()).pagination.total, 25)
  })

  test('on a serial database the COUNT is sent after the items', async () => {
    const slow = await openLibrary(create, 'pipeline=off')
    try {
      const { pagination } = await slow.books.page(null, new Pagination({ limit: 2 }))
      assert.deepEqual([pagination.total, pagination.more], [25, true])
    } finally {
      await slow.database.close()
    }
  })
})
