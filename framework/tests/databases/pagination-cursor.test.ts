import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { InvalidArgumentException } from '../../src/base/errors.ts'
import { PendingError } from '../../src/database/database-error.ts'
import { Awaiting } from '../../src/orm/pagination/paginated.ts'
import { Modes, Pagination } from '../../src/orm/pagination/pagination.ts'
import type { Selection } from '../../src/orm/selection.ts'
import type { ColumnOf } from '../../src/orm/entity/row.ts'
import { Operators, Orders } from '../../src/database/sql/plan/operators.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { openLibrary } from './library.ts'
import type { Books, Library } from './library.ts'

const idsOf = (rows: Iterable<{ readonly id: number }>): number[] =>
  Array.from(rows, ({ id }) => id)

const hostile = [
  "' OR 1=1 --",
  '1; DROP TABLE books',
  '") UNION SELECT 1,2,3 --',
  '\\',
  "\\' OR ''='",
  '%',
  '$1',
  '?',
  '\u0000',
]

onEveryDatabase((dialect, _open, create) => {
  let library: Library
  before(async () => {
    library = await openLibrary(create)
  })
  after(() => library.database.close())

  const begin = (limit: number): Pagination<'cursor'> =>
    new Pagination({ mode: Modes.Cursor, limit })

  test('a walk by cursors returns every row once, counts nothing, and ends with next null', async () => {
    const { books } = library
    library.forget()
    const byShelf = books.select().order(Orders.Desc, 'shelf').order(Orders.Asc, 'title')
    const seen: number[] = []
    let pagination = begin(4)
    for (let pages = 1; ; pages += 1) {
      const page = await books.page(byShelf, pagination)
      assert.equal(page.pagination, pagination)
      assert.deepEqual(
        [pagination.total, pagination.pages, pagination.previous],
        [null, null, null],
      )
      assert.equal(pagination.more, pagination.next !== null)
      seen.push(...idsOf(page))
      if (pagination.next === null) {
        assert.equal(pages, 7)
        break
      }
      pagination = new Pagination({ cursor: pagination.next, limit: 4 })
    }
    assert.deepEqual(seen, idsOf(await books.all(byShelf)))
    assert.ok(library.statements().every((statement) => !statement.includes('COUNT')))
  })

  test('one statement is sent per page, for one row more than the page', async () => {
    library.forget()
    const operation = library.books.paginate(null, begin(4))
    assert.equal(operation.count, null)
    assert.equal((await operation.settled()).rows.length, 5)
    assert.equal((await Awaiting.hydrate(library.books, operation)).items.length, 4)
    assert.equal(library.statements().length, 1)
  })

  test('hydrate is pending while rows are pending and works once they have arrived', async () => {
    const { books } = library
    const operation = books.paginate(null, begin(4))
    if (dialect !== 'sqlite') assert.throws(() => books.hydrate(operation), PendingError)
    await operation.settled()
    assert.deepEqual(idsOf(books.hydrate(operation)), [1, 2, 3, 4])
  })

  test('the probe row is removed before relations are loaded', async () => {
    const { books } = library
    // Row 26 refers to nothing: loading its author would fail.
    await library.database.run({
      sql: `INSERT INTO books SELECT 26, title, 9, price, barcode, added_at, note, 99 FROM books WHERE id = 1`,
      parameters: [],
    })
    const { items, pagination } = await books.page(
      books.select().filter('id', Operators.Greater, 24).with('author'),
      begin(1),
    )
    assert.equal(items[0]?.author.name, 'Ben')
    assert.equal(pagination.more, true)
    await books.delete(26)
  })

  test('a cursor contains the exact values of the last row: order columns first, the key last', async () => {
    const { books } = library
    const valuesOf = async (
      column: ColumnOf<Books> & ('barcode' | 'price' | 'addedAt' | 'title' | 'shelf'),
    ) => {
      const pagination = begin(1)
      const selection = books
        .select()
        .filter('id', Operators.GreaterOrEqual, 24)
        .order(Orders.Asc, column)
      await books.page(selection, pagination)
      return new Pagination({ cursor: pagination.next ?? '' }).decode(2)
    }
    assert.deepEqual(await valuesOf('barcode'), ['9007199254741017', 24])
    assert.deepEqual(await valuesOf('shelf'), [0, 25])
    assert.deepEqual(await valuesOf('title'), ['Title 00', 25])
    const [moment, id] = await valuesOf('addedAt')
    assert.match(String(moment), /^2026-01-31 12:00:00\.123424/)
    assert.equal(id, 24)
    const [price] = await valuesOf('price')
    assert.equal(Number(price), 0.24)
    assert.equal(typeof price, 'string')
  })

  test('timestamps that differ by a microsecond, and 64-bit numbers by one, are distinguished', async () => {
    const { books } = library
    for (const column of ['addedAt', 'barcode'] as const) {
      for (const order of Object.values(Orders)) {
        const ids: number[] = []
        for await (const { id } of books.walk(books.select().order(order, column), { size: 2 }))
          ids.push(id)
        const expected = Array.from({ length: 25 }, (_, index) => index + 1)
        assert.deepEqual(ids, order === Orders.Asc ? expected : expected.toReversed())
      }
    }
  })

  test('a malformed cursor is refused before any query', async () => {
    const { books } = library
    const encode = (...values: readonly unknown[]): string => Pagination.encode(values)
    const byTitle = books.select().order(Orders.Asc, 'title')
    const bad: [Selection<Books>, string][] = [
      [books.select(), ''],
      [books.select(), '!'],
      [books.select(), 'WyJCb2IiLDdd='],
      [books.select(), Buffer.from('{"id":1}').toString('base64url')],
      [books.select(), Buffer.from('[null]').toString('base64url')],
      [books.select(), encode('1')],
      [books.select(), encode(true)],
      [books.select(), encode(1.5)],
      [books.select(), encode(2 ** 60)],
      [books.select(), encode(1, 2)],
      [byTitle, encode(1)],
      [byTitle, encode(7, 7)],
      [byTitle, encode('a', 'b')],
      [books.select().order(Orders.Asc, 'barcode'), encode(7, 7)],
      [books.select().order(Orders.Asc, 'barcode'), encode('7.5', 7)],
      [books.select().order(Orders.Asc, 'barcode'), encode('9223372036854775808', 7)],
      [books.select().order(Orders.Asc, 'price'), encode('abc', 7)],
      [books.select().order(Orders.Asc, 'price'), encode('', 7)],
      [books.select().order(Orders.Asc, 'price'), encode('1e5', 7)],
      [books.select().order(Orders.Asc, 'price'), encode('1,5', 7)],
      [books.select().order(Orders.Asc, 'addedAt'), encode('yesterday', 7)],
      [books.select().order(Orders.Asc, 'addedAt'), encode('2026-02-30 12:00:00', 7)],
      [books.select().order(Orders.Asc, 'addedAt'), encode(1_700_000_000, 7)],
    ]
    library.forget()
    for (const [selection, cursor] of bad) {
      for (const inputs of [{ cursor }, { before: cursor }]) {
        assert.throws(
          () => books.paginate(selection, new Pagination(inputs)),
          (error) => error instanceof InvalidArgumentException && error.code === 'E_CURSOR',
          Buffer.from(cursor, 'base64url').toString(),
        )
      }
    }
    await library.database.ping()
    assert.deepEqual(
      library.statements().filter((statement) => statement.includes('books')),
      [],
    )
  })

  test('SQL in a cursor is either a value or an invalid cursor', async () => {
    const { books } = library
    const byTitle = books.select().order(Orders.Asc, 'title')
    const titles = (await books.all(books.select())).map(({ title }) => title)
    for (const text of hostile) {
      const cursor = Pagination.encode([text, 0])
      if (text === '\u0000') {
        assert.throws(() => books.paginate(byTitle, new Pagination({ cursor })), {
          code: 'E_CURSOR',
        })
        continue
      }
      const { items } = await books.page(byTitle, new Pagination({ cursor, limit: 100 }))
      const { items: rest } = await books.page(
        byTitle,
        new Pagination({ before: cursor, limit: 100 }),
      )
      assert.equal(items.length + rest.length, titles.length, text)
      for (const column of ['price', 'barcode', 'addedAt'] as const) {
        const selection = books.select().order(Orders.Asc, column)
        assert.throws(() => books.paginate(selection, new Pagination({ cursor })), {
          code: 'E_CURSOR',
        })
      }
      await assert.rejects(books.page(books.select(), new Pagination({ cursor: text })), {
        code: 'E_CURSOR',
      })
    }
    assert.equal(await books.count(), 25)
  })

  test('an order by a nullable column, or with nulls first or last, is refused before any query', async () => {
    const { books } = library
    library.forget()
    const pagination: Pagination = begin(4)
    for (const nulls of [undefined, 'first', 'last'] as const) {
      const byNote = books.select().order(Orders.Asc, 'note', nulls)
      assert.throws(() => books.paginate(byNote, pagination), { code: 'E_CURSOR_ORDER' })
      await assert.rejects(books.page(byNote, pagination), InvalidArgumentException)
    }
    const byTitle = books.select().order(Orders.Asc, 'title', 'last')
    assert.throws(() => books.paginate(byTitle, pagination), { code: 'E_CURSOR_ORDER' })
    assert.deepEqual(library.statements(), [])
  })

  test('a walk continues after a row that was deleted', async () => {
    await assert.rejects(
      library.database.transaction(async (transaction) => {
        const books = library.books.using(transaction)
        const first = begin(4)
        await books.page(null, first)
        await books.delete(4)
        const page = await books.page(null, new Pagination({ cursor: first.next ?? '', limit: 2 }))
        assert.deepEqual(idsOf(page), [5, 6])
        throw new Error('undo')
      }),
      /undo/,
    )
  })

  test('rows can be locked while they are walked over', async () => {
    await library.database.transaction(async (transaction) => {
      const books = library.books.using(transaction)
      const mixed = books.select().order(Orders.Desc, 'shelf').order(Orders.Asc, 'title').lock()
      const ids: number[] = []
      for await (const { id } of books.walk(mixed, { size: 7 })) ids.push(id)
      assert.deepEqual(ids, idsOf(await books.all(mixed)))
    })
  })

  test('leaving an iterator sends nothing more', async () => {
    library.forget()
    let rows = 0
    for await (const { id } of library.books.walk(null, { size: 4 })) {
      rows += 1
      if (id === 6) break
    }
    assert.equal(rows, 6)
    assert.equal(library.statements().length, 2)
  })
})
