import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { bigint, decimal, integer, key, text, timestamp } from '../../src/orm/entity/column.ts'
import type { Column } from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import type { Entity } from '../../src/orm/entity/entity.ts'
import { belongsTo } from '../../src/orm/relations/relation.ts'
import type { Relation } from '../../src/orm/relations/relation.ts'
import { Repository } from '../../src/orm/repository.ts'
import type { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import type { CreateDatabase } from '../support/test-databases.ts'

interface AuthorShape {
  readonly id: Column<number, true, true>
  readonly name: Column<string, false, false>
}

interface BookShape {
  readonly id: Column<number, true, true>
  readonly title: Column<string, false, false>
  readonly shelf: Column<number, false, false>
  readonly price: Column<string, false, false>
  readonly barcode: Column<bigint, false, false>
  readonly addedAt: Column<Date, false, false>
  readonly note: Column<string | null, true, false>
  readonly author: Relation<Entity<AuthorShape>, 'belongs-to', null, false>
}

export const Authors: Entity<AuthorShape> = entity('authors', { id: key.integer(), name: text() })

export const Books: Entity<BookShape> = entity('books', {
  id: key.integer(),
  title: text(),
  shelf: integer(),
  price: decimal({ precision: 10, scale: 2 }),
  barcode: bigint(),
  addedAt: timestamp(),
  note: text().nullable(),
  author: belongsTo(() => Authors),
})
export type Books = typeof Books

/** A library on a database of its own, and the statements that went to it. */
export interface Library {
  readonly database: Database
  readonly books: Repository<Books>
  /** Statements since the last `forget()`. */
  statements(): readonly string[]
  forget(): void
}

const added: Readonly<Record<Dialects, string>> = {
  sqlite: 'TEXT',
  postgres: 'TIMESTAMPTZ',
  mariadb: 'DATETIME(6)',
}

/**
 * Twenty-five books: five shelves with five books each, in no order of titles; barcodes and moments
 * differ in the last digit only.
 */
export async function openLibrary(create: CreateDatabase, options = ''): Promise<Library> {
  let log: string[] = []
  const database = await connect(`${await create()}?${options}`, {
    log: (entry) => log.push(entry.sql),
  })
  const { name } = database.dialect
  await database.run(sql`CREATE TABLE authors (id INTEGER PRIMARY KEY, name VARCHAR(100) NOT NULL)`)
  await database.run({
    sql: `CREATE TABLE books (id INTEGER PRIMARY KEY, title VARCHAR(100) NOT NULL, shelf INTEGER NOT NULL, price DECIMAL(10,2) NOT NULL, barcode BIGINT NOT NULL, added_at ${added[name]} NOT NULL, note VARCHAR(100), author_id INTEGER NOT NULL)`,
    parameters: [],
  })
  await database.run(sql`INSERT INTO authors (id, name) VALUES (1, 'Ada'), (2, 'Ben')`)
  const books = Array.from({ length: 25 }, (_, index) => bookValues(index + 1))
  await database.run(
    sql`INSERT INTO books (id, title, shelf, price, barcode, added_at, note, author_id) VALUES ${sql.list(books)}`,
  )
  return {
    database,
    books: new Repository(Books, database),
    statements: () => log,
    forget: () => {
      log = []
    },
  }
}

function bookValues(id: number): unknown {
  const title = `Title ${String((id * 7) % 25).padStart(2, '0')}`
  const barcode = 9_007_199_254_740_993n + BigInt(id)
  const moment = `2026-01-31 12:00:00.1234${String(id).padStart(2, '0')}`
  const price = `${id % 3}.${String(id).padStart(2, '0')}`
  return sql`(${sql.list([id, title, id % 5, price, barcode, moment, null, (id % 2) + 1])})`
}
