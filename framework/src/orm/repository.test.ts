import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { RecordingSurface } from '../../tests/support/recording-surface.ts'
import { connect } from '../database/connect.ts'
import { Operators, Orders } from '../database/sql/plan/operators.ts'
import { integer, key, text } from './entity/column.ts'
import { entity } from './entity/entity.ts'
import { Pagination } from './pagination/pagination.ts'
import { belongsTo } from './relations/relation.ts'
import { Repository } from './repository.ts'
import { Selection } from './selection.ts'

const Shelves = entity('shelves', { id: key.integer(), name: text() })
const Books = entity('books', {
  id: key.integer(),
  title: text(),
  pages: integer().optional(),
  shelf: belongsTo(() => Shelves).nullable(),
})

interface Shop {
  readonly books: Repository<typeof Books>
  readonly shelves: Repository<typeof Shelves>
  readonly surface: RecordingSurface
}

async function shop(t: TestContext): Promise<Shop> {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const tables = [
    'CREATE TABLE shelves (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)',
    `CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, pages INTEGER NOT NULL DEFAULT 100,
      shelf_id INTEGER)`,
    'CREATE TABLE unseen (id INTEGER PRIMARY KEY, word TEXT)',
    'CREATE TRIGGER ignored BEFORE INSERT ON unseen BEGIN SELECT RAISE(IGNORE); END',
  ]
  for (const sql of tables) await database.run({ sql, parameters: [] })
  const surface = new RecordingSurface(database)
  return {
    books: new Repository(Books, surface),
    shelves: new Repository(Shelves, surface),
    surface,
  }
}

describe('invalid input is rejected before any query', () => {
  const refused = (call: Promise<unknown>, code: string): Promise<void> =>
    assert.rejects(call, { name: 'InvalidArgumentException', code })

  test('a key of another type, null and undefined', async (t) => {
    const { books, surface } = await shop(t)
    for (const bad of ['1', 1n, 1.5, null, undefined, Number.NaN]) {
      // @ts-expect-error the key is a number
      await refused(books.find(bad), 'E_COLUMN_VALUE')
      // @ts-expect-error the key is a number
      await refused(books.update(bad, {}), 'E_COLUMN_VALUE')
      // @ts-expect-error the key is a number
      await refused(books.delete(bad), 'E_COLUMN_VALUE')
    }
    assert.deepEqual(surface.flushes, [])
  })

  test('values of another type, unknown columns and missing columns', async (t) => {
    const { books, surface } = await shop(t)
    // @ts-expect-error the title is a text
    await refused(books.insert({ title: 7 }), 'E_COLUMN_VALUE')
    // @ts-expect-error no such column
    await refused(books.insert({ title: 'a', titel: 'b' }), 'E_COLUMN')
    // @ts-expect-error the title is missing
    await refused(books.insert({ pages: 1 }), 'E_INVALID_ARGUMENT')
    // @ts-expect-error the title is never NULL
    await refused(books.insertMany([{ title: 'a' }, { title: null }]), 'E_COLUMN_VALUE')
    // @ts-expect-error no such column
    await refused(books.update(1, { shelf: 1 }), 'E_COLUMN')
    // @ts-expect-error no such column
    await refused(books.updateAll(books.select(), { name: 'x' }), 'E_COLUMN')
    // @ts-expect-error no changes
    await refused(books.updateAll(books.select(), {}), 'E_INVALID_ARGUMENT')
    // @ts-expect-error no such column
    await refused(books.upsert({ title: 'a' }, { by: ['name'] }), 'E_COLUMN')
    assert.deepEqual(surface.flushes, [])
  })

  test('a selection of another entity', async (t) => {
    const { books, shelves, surface } = await shop(t)
    // A twin has the same shape, so only the run-time check can tell.
    const Twin = entity('others', Books.shape)
    const other = new Selection(Twin)
    for (const call of [
      books.all(other),
      books.first(other),
      books.count(other),
      books.exists(other),
      books.updateAll(other, { title: 'x' }),
      books.deleteAll(other),
      // @ts-expect-error another entity altogether
      books.all(shelves.select()),
    ]) {
      await refused(call, 'E_INVALID_ARGUMENT')
    }
    assert.deepEqual(surface.flushes, [])
  })

  test('a write with a selection that has more than conditions', async (t) => {
    const { books, surface } = await shop(t)
    const more = {
      order: books.select().order(Orders.Asc, 'title'),
      limit: books.select().limit(1),
      offset: books.select().offset(1),
      seek: books.select().seek([{ column: 'id', order: Orders.Asc }], [1]),
      lock: books.select().lock(),
      with: books.select().with('shelf'),
    }
    for (const [name, selection] of Object.entries(more)) {
      const message = new RegExp(`the selection's ${name}\\(\\) would be ignored`)
      await assert.rejects(books.deleteAll(selection), { code: 'E_INVALID_ARGUMENT', message })
      await assert.rejects(books.updateAll(selection, { title: 'x' }), { message })
    }
    assert.deepEqual(surface.flushes, [])
  })
})

test('the operation of another repository is rejected', async (t) => {
  const { books, shelves } = await shop(t)
  assert.throws(() => books.hydrate(shelves.paginate()), {
    name: 'InvalidArgumentException',
    message: 'the operation belongs to shelves, the repository to books',
  })
})

test('no error contains a value', async (t) => {
  const { books, shelves } = await shop(t)
  const secret = 'hunter2'
  const told = async (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => assert.fail('it worked'),
      (error: unknown) => String(error),
    )
  await shelves.insert({ name: secret })
  const texts = [
    // @ts-expect-error pages is a number
    await told(books.insert({ title: 'a', pages: secret })),
    // @ts-expect-error the key is a number
    await told(books.find(secret)),
    // @ts-expect-error pages is a number
    await told(books.all(books.select().filter('pages', Operators.Equal, secret))),
    await told(shelves.insert({ name: secret })),
  ]
  for (const text of texts) assert.doesNotMatch(text, /hunter2/)
})

test('a row that a trigger prevents from being written is an error', async (t) => {
  const { books } = await shop(t)
  const Unseen = entity('unseen', { id: key.integer(), word: text() })
  await assert.rejects(new Repository(Unseen, books.surface).insert({ word: 'a' }), {
    name: 'FrameworkError',
    code: 'E_DATABASE',
    message: /triggers/,
  })
})

test('insertMany without rows sends nothing', async (t) => {
  const { books, surface } = await shop(t)
  assert.deepEqual(await books.insertMany([]), [])
  assert.deepEqual(surface.flushes, [])
})

test('an update without changes reads and writes nothing', async (t) => {
  const { books, surface } = await shop(t)
  const book = await books.insert({ title: 'Tea' })
  surface.flushes.length = 0
  assert.deepEqual(await books.update(book.id, {}), book)
  assert.match(surface.flushes.flat().join(), /^SELECT [^;]*$/)
})

test('using() is the same repository on another surface', async (t) => {
  const { books } = await shop(t)
  await assert.rejects(
    books.surface.transaction(async (transaction) => {
      const inside = books.using(transaction)
      assert.deepEqual([inside.entity, inside.surface], [Books, transaction])
      await inside.insert({ title: 'gone' })
      assert.equal(await inside.count(), 1)
      throw new Error('undo')
    }),
    { message: 'undo' },
  )
  assert.equal(await books.count(), 0)
})

test('paginate, hydrate, page and walk work on its rows, relations included', async (t) => {
  const { books, shelves } = await shop(t)
  const shelf = await shelves.insert({ name: 'A' })
  await books.insertMany(['a', 'b', 'c'].map((title) => ({ title, shelfId: shelf.id })))
  const selection = books.select().order(Orders.Desc, 'title').with('shelf')

  const { items, pagination } = books.hydrate(
    books.paginate(selection, new Pagination({ limit: 2 })),
  )
  assert.deepEqual(
    items.map((book) => `${book.title}${book.shelf?.name}`),
    ['cA', 'bA'],
  )
  assert.equal(pagination.total, 3)

  const page = await books.page(selection, new Pagination({ limit: 2, page: 2 }), (narrowed) =>
    narrowed.filter('title', Operators.Unequal, 'b'),
  )
  assert.deepEqual([...page], [])
  assert.equal((await books.page()).items.length, 3)

  const walked: string[] = []
  for await (const book of books.walk(selection, { size: 1 })) walked.push(book.title)
  assert.deepEqual(walked, ['c', 'b', 'a'])
})
