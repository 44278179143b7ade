import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Counts, Modes, Pagination } from '../../src/orm/pagination/pagination.ts'
import { Operators, Orders } from '../../src/database/sql/plan/operators.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { openLibrary } from './library.ts'
import type { Library } from './library.ts'

const idsOf = (rows: Iterable<{ readonly id: number }>): number[] =>
  Array.from(rows, ({ id }) => id)

onEveryDatabase((dialect, _open, create) => {
  let library: Library
  before(async () => {
    library = await openLibrary(create)
  })
  after(() => library.database.close())

  test('a capped count goes no further than its cap', async () => {
    const { books } = library
    const outcome = async (page: number, cap: number): Promise<unknown[]> => {
      const pagination = new Pagination({ page, limit: 4, count: Counts.Capped, cap })
      const { items } = await books.page(
        books.select().filter('id', Operators.Less, 25),
        pagination,
      )
      return [
        items.length,
        pagination.total,
        pagination.pages,
        pagination.more,
        pagination.approximate,
      ]
    }
    library.forget()
    assert.deepEqual(await outcome(1, 10), [4, 10, 3, true, true])
    assert.match(library.statements().join('\n'), /COUNT\(\*\) AS total FROM \(.* LIMIT 11\)/)
    assert.deepEqual(await outcome(1, 24), [4, 24, 6, true, false])
    assert.deepEqual(await outcome(6, 10), [4, 24, 6, false, false])
  })

  test('an estimate comes from the planner where the database has one', async () => {
    const { books, database } = library
    await database.run(
      dialect === 'mariadb' ? sql`ANALYZE TABLE books PERSISTENT FOR ALL` : sql`ANALYZE`,
    )
    library.forget()
    const pagination = new Pagination({ limit: 4, count: Counts.Estimate })
    const { items } = await books.page(
      books.select().filter('shelf', Operators.Less, 3),
      pagination,
    )
    assert.equal(items.length, 4)
    assert.equal(pagination.more, true)
    const { total, approximate } = pagination
    if (dialect === 'sqlite') {
      assert.deepEqual([total, approximate], [15, false])
    } else {
      // Fifteen rows there are.
      assert.ok(total !== null && total >= 10 && total <= 20, `${total}`)
      assert.equal(approximate, true)
      assert.match(library.statements().join('\n'), /EXPLAIN/)
    }
    const last = new Pagination({ limit: 4, page: 4, count: Counts.Estimate })
    await books.page(books.select().filter('shelf', Operators.Less, 3), last)
    assert.deepEqual([last.total, last.approximate, last.more], [15, false, false])
  })

  test('an estimate works in a transaction and for a filter that matches nothing', async () => {
    await library.database.transaction(async (transaction) => {
      const books = library.books.using(transaction)
      const pagination = new Pagination({ count: Counts.Estimate })
      const none = books.select().filter('id', Operators.In, [])
      assert.deepEqual((await books.page(none, pagination)).items, [])
      assert.deepEqual([pagination.total, pagination.pages], [0, 0])
    })
  })

  test('without a count one statement is sent', async () => {
    library.forget()
    const pagination = new Pagination({ page: 7, limit: 4, count: Counts.None })
    assert.deepEqual(idsOf(await library.books.page(null, pagination)), [25])
    assert.deepEqual([pagination.total, pagination.pages, pagination.more], [null, null, false])
    assert.equal(library.statements().length, 1)
  })

  test('cursors lead backward too, in the order of the selection', async () => {
    const { books } = library
    const byShelf = books.select().order(Orders.Desc, 'shelf').order(Orders.Asc, 'title')
    const all = idsOf(
      await books.all(
        books
          .select()
          .order(Orders.Desc, 'shelf')
          .order(Orders.Asc, 'title')
          .order(Orders.Asc, 'id'),
      ),
    )
    const first = new Pagination({ mode: Modes.Cursor, limit: 4, backward: true })
    await books.page(byShelf, first)
    assert.equal(first.previous, null)
    const second = new Pagination({ cursor: first.next ?? '', limit: 4, backward: true })
    await books.page(byShelf, second)
    const third = new Pagination({ cursor: second.next ?? '', limit: 4, backward: true })
    assert.deepEqual(idsOf(await books.page(byShelf, third)), all.slice(8, 12))
    const back = new Pagination({ before: third.previous ?? '', limit: 4 })
    assert.deepEqual(idsOf(await books.page(byShelf, back)), all.slice(4, 8))
    assert.deepEqual([back.next, back.previous], [second.next, second.previous])
    const front = new Pagination({ before: back.previous ?? '', limit: 4 })
    assert.deepEqual(idsOf(await books.page(byShelf, front)), all.slice(0, 4))
    assert.deepEqual([front.more, front.previous], [false, null])
  })

  test('a signed cursor works under its own order and filters and is refused under any other', async () => {
    const { books } = library
    const signed = createSecretKey(randomBytes(32))
    const selection = () =>
      books.select().filter('shelf', Operators.Less, 4).order(Orders.Asc, 'title')
    const first = new Pagination({ mode: Modes.Cursor, limit: 4, signed, backward: true })
    await books.page(selection(), first)
    const cursor = first.next ?? ''
    const second = new Pagination({ cursor, limit: 4, signed, backward: true })
    const page = await books.page(selection(), second)
    const all = idsOf(await books.all(selection()))
    assert.deepEqual(idsOf(page), all.slice(4, 8))
    const back = new Pagination({ before: second.previous ?? '', limit: 4, signed })
    assert.deepEqual(idsOf(await books.page(selection(), back)), all.slice(0, 4))

    library.forget()
    const again = new Pagination({ cursor, limit: 4, signed })
    const others = [
      books.select().order(Orders.Asc, 'title'),
      books.select().filter('shelf', Operators.Less, 5).order(Orders.Asc, 'title'),
      books.select().filter('shelf', Operators.Less, 4).order(Orders.Desc, 'title'),
      selection().where(sql`1 = 1`),
    ]
    for (const other of others) {
      assert.throws(() => books.paginate(other, again), { code: 'E_CURSOR' })
    }
    assert.throws(
      () => books.paginate(selection(), again, (scoped) => scoped.filter('id', Operators.Less, 9)),
      { code: 'E_CURSOR' },
    )
    const bare = cursor.split('.', 1).join('')
    const forged = [
      bare,
      `${bare}.`,
      `${Pagination.encode(['Title 24', 1])}.${cursor.split('.')[1]}`,
    ]
    for (const token of forged) {
      const pagination = new Pagination({ cursor: token, signed })
      assert.throws(() => books.paginate(selection(), pagination), { code: 'E_CURSOR' })
    }
    const another = new Pagination({ cursor, signed: createSecretKey(randomBytes(32)) })
    assert.throws(() => books.paginate(selection(), another), { code: 'E_CURSOR' })
    assert.throws(() => books.paginate(selection(), new Pagination({ cursor })), {
      code: 'E_CURSOR',
    })
    assert.deepEqual(library.statements(), [])
  })

  test('a signed cursor from when the appended key always ascended is refused, a plain one is a position', async () => {
    const { books } = library
    const before = books.select().order(Orders.Desc, 'shelf').order(Orders.Asc, 'id')
    const now = books.select().order(Orders.Desc, 'shelf')
    for (const signed of [createSecretKey(randomBytes(32)), undefined]) {
      const given = new Pagination({ mode: Modes.Cursor, limit: 2, signed })
      assert.deepEqual(idsOf(await books.page(before, given)), [4, 9])
      const next = new Pagination({ cursor: given.next ?? '', limit: 2, signed })
      if (signed === undefined) assert.deepEqual(idsOf(await books.page(now, next)), [4, 23])
      else assert.throws(() => books.paginate(now, next), { code: 'E_CURSOR' })
    }
  })
})
