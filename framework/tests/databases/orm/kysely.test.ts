import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import {
  CamelCasePlugin,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql as raw,
} from 'kysely'
import type { Generated } from 'kysely'
import { connect } from '../../../src/database/connect.ts'
import type { QueryEntry } from '../../../src/database/query-log.ts'
import type { Database } from '../../../src/database/surface.ts'
import { kysely, surfaceOf } from '../../../src/database/kysely.ts'
import { integer, key, text } from '../../../src/orm/entity/column.ts'
import { entity } from '../../../src/orm/entity/entity.ts'
import { Repository } from '../../../src/orm/repository.ts'
import { Dialects } from '../../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../../src/database/sql/plan/statement.ts'
import { onDatabase, onEveryDatabase } from '../../support/test-databases.ts'
import type { OpenDatabase } from '../../support/test-databases.ts'

interface Tables {
  readonly shelves: { readonly id: Generated<number>; readonly name: string }
  readonly books: {
    readonly id: Generated<number>
    readonly title: string
    readonly pages: number
    readonly shelf_id: number
  }
}

const Books = entity('books', {
  id: key.integer(),
  title: text(),
  pages: integer(),
  shelfId: integer(),
})

const generated = {
  sqlite: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  postgres: 'SERIAL PRIMARY KEY',
  mariadb: 'INTEGER PRIMARY KEY AUTO_INCREMENT',
} as const

async function openLibrary(
  open: OpenDatabase,
  t: TestContext,
  name: Dialects,
  options = '',
): Promise<[Database, Kysely<Tables>]> {
  const database = await open(t, options)
  for (const columns of [
    `shelves (id ${generated[name]}, name VARCHAR(50) NOT NULL)`,
    `books (id ${generated[name]}, title VARCHAR(50) NOT NULL, pages INTEGER NOT NULL, shelf_id INTEGER NOT NULL)`,
  ]) {
    await database.run({ sql: `CREATE TABLE ${columns}`, parameters: [] })
  }
  const queries = kysely<Tables>(database)
  await queries
    .insertInto('shelves')
    .values([{ name: 'History' }, { name: 'Poems' }])
    .execute()
  await queries
    .insertInto('books')
    .values([
      { title: 'Rome', pages: 300, shelf_id: 1 },
      { title: 'Songs', pages: 90, shelf_id: 2 },
      { title: 'Gaul', pages: 200, shelf_id: 1 },
    ])
    .execute()
  return [database, queries]
}

onEveryDatabase((name, open) => {
  test('queries of Kysely read and write, with joins, groups and bound values', async (t) => {
    const [, queries] = await openLibrary(open, t, name)
    const rows = await queries
      .selectFrom('books')
      .innerJoin('shelves', 'shelves.id', 'books.shelf_id')
      .where('pages', '>', 100)
      .groupBy('shelves.name')
      .select(({ fn }) => ['shelves.name', fn.max('pages').as('longest')])
      .execute()
    assert.deepEqual(rows, [{ name: 'History', longest: 300 }])
    const updated = await queries
      .updateTable('books')
      .set({ pages: 1 })
      .where('shelf_id', '=', 1)
      .executeTakeFirst()
    assert.equal(updated.numUpdatedRows, 2n)
    const inserted = await queries
      .insertInto('books')
      .values({ title: "Robert'); DROP TABLE books;--", pages: 1, shelf_id: 2 })
      .executeTakeFirst()
    assert.equal(inserted.numInsertedOrUpdatedRows, 1n)
    assert.equal(inserted.insertId, name === Dialects.Postgres ? undefined : 4n)
    const returned = await queries
      .insertInto('books')
      .values({ title: 'New', pages: 5, shelf_id: 2 })
      .returning(['id', 'title'])
      .executeTakeFirstOrThrow()
    assert.deepEqual(returned, { id: 5, title: 'New' })
    const deleted = await queries.deleteFrom('books').where('pages', '<', 6).executeTakeFirst()
    assert.equal(deleted.numDeletedRows, 4n)
    const tables = await queries.introspection.getTables()
    assert.deepEqual(tables.map((table) => table.name).toSorted(), ['books', 'shelves'])
  })

  test('a transaction of Kysely is one of ours: it commits, rolls back and takes a Repository', async (t) => {
    const [database, queries] = await openLibrary(open, t, name)
    const count = async (): Promise<unknown> => new Repository(Books, database).count()
    const id = await queries.transaction().execute(async (transaction) => {
      const surface = await surfaceOf(transaction)
      assert.equal(surface.transactional, true)
      const books = new Repository(Books, surface)
      const { id: made } = await books.insert({ title: 'Ours', pages: 7, shelfId: 2 })
      await transaction.updateTable('books').set({ pages: 8 }).where('id', '=', made).execute()
      assert.equal((await books.find(made))?.pages, 8)
      return made
    })
    assert.equal(id, 4)
    assert.equal(await count(), 4)
    const failing = queries.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('books').execute()
      throw new Error('no')
    })
    await assert.rejects(failing, /^Error: no$/)
    const broken = queries.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('books').execute()
      await transaction
        .insertInto('books')
        .values({ id: 1, title: 'x', pages: 1, shelf_id: 1 })
        .execute()
      await transaction
        .insertInto('books')
        .values({ id: 1, title: 'x', pages: 1, shelf_id: 1 })
        .execute()
    })
    await assert.rejects(broken, { name: 'DatabaseError', code: 'E_DUPLICATE_KEY' })
    const ended = queries.transaction().execute(async (transaction) => {
      await raw`ROLLBACK`.execute(transaction)
    })
    await assert.rejects(ended, { code: 'E_TRANSACTION_ENDED' })
    assert.equal(await count(), 4)
    assert.equal(await surfaceOf(queries), database)
  })

  test('Kysely works inside a transaction of ours, and its own there is a savepoint', async (t) => {
    const [database] = await openLibrary(open, t, name)
    await database.transaction(async (transaction) => {
      const queries = kysely<Tables>(transaction)
      await queries.deleteFrom('books').where('id', '=', 1).execute()
      const inside = queries.transaction().execute(async (inner) => {
        await inner.deleteFrom('books').execute()
        throw new Error('no')
      })
      await assert.rejects(inside, /^Error: no$/)
      await Promise.all(
        ['A', 'B'].map((title) =>
          queries
            .transaction()
            .execute((inner) =>
              inner.insertInto('books').values({ title, pages: 1, shelf_id: 1 }).execute(),
            ),
        ),
      )
    })
    const rows = await database.rows(sql`SELECT title FROM books ORDER BY title`)
    assert.deepEqual(
      rows.map(({ title }) => title),
      ['A', 'B', 'Gaul', 'Songs'],
    )
  })

  test('a transaction that is controlled by hand has savepoints, and must be ended', async (t) => {
    const [database, queries] = await openLibrary(open, t, name, 'pool=1')
    const transaction = await queries.startTransaction().execute()
    await transaction.deleteFrom('books').where('id', '=', 1).execute()
    const point = await transaction.savepoint('before').execute()
    await point.deleteFrom('books').execute()
    await point.rollbackToSavepoint('before').execute()
    await point.releaseSavepoint('before').execute()
    await transaction.commit().execute()
    assert.equal(await new Repository(Books, database).count(), 2)
    const other = await queries.startTransaction().setAccessMode('read only').execute()
    await assert.rejects(other.deleteFrom('books').execute(), { name: 'DatabaseError' })
    await other.rollback().execute()
    assert.equal(await new Repository(Books, database).count(), 2)
  })

  test('options and calls that are not supported are refused with a sentence', async (t) => {
    const [, queries] = await openLibrary(open, t, name)
    const snapshot = queries.transaction().setIsolationLevel('snapshot')
    await assert.rejects(
      snapshot.execute(() => Promise.resolve()),
      { name: 'InvalidArgumentException', message: /got snapshot$/ },
    )
    const level = await queries
      .transaction()
      .setIsolationLevel('serializable')
      .execute(() => Promise.resolve('fine'))
    assert.equal(level, 'fine')
    const streamed = async (): Promise<void> => {
      for await (const row of queries.selectFrom('books').selectAll().stream())
        assert.fail(row.title)
    }
    await assert.rejects(streamed(), { name: 'InvalidArgumentException', message: /walk\(\)/ })
    const foreign = new Kysely<Tables>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (other) => new SqliteIntrospector(other),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    })
    await assert.rejects(surfaceOf(foreign), {
      name: 'InvalidArgumentException',
      message: /^surfaceOf\(\) takes what kysely\(\)/,
    })
  })
})

onDatabase('sqlite', () => {
  test('queries of Kysely are in the query log, failures too, and plugins work', async (t) => {
    const entries: QueryEntry[] = []
    const database = await connect('sqlite::memory:', { log: (entry) => entries.push(entry) })
    t.after(() => database.close())
    await database.run(sql`CREATE TABLE notes (id INTEGER PRIMARY KEY, made_by TEXT)`)
    const queries = kysely<{ notes: { id: number; madeBy: string } }>(database).withPlugin(
      new CamelCasePlugin(),
    )
    entries.length = 0
    await queries.insertInto('notes').values({ id: 1, madeBy: 'secret' }).execute()
    const rows = await queries.selectFrom('notes').selectAll().execute()
    assert.deepEqual(rows, [{ id: 1, madeBy: 'secret' }])
    const twice = queries.insertInto('notes').values({ id: 1, madeBy: 'secret' }).execute()
    await assert.rejects(twice, { code: 'E_DUPLICATE_KEY' })
    assert.deepEqual(
      entries.map(({ sql: text, parameters, failure }) => [text, parameters, failure]),
      [
        ['insert into "notes" ("id", "made_by") values (?, ?)', 2, null],
        ['select * from "notes"', 0, null],
        ['insert into "notes" ("id", "made_by") values (?, ?)', 2, 'E_DUPLICATE_KEY'],
      ],
    )
    // The database belongs to the project.
    await queries.destroy()
    await database.ping()
  })
})
