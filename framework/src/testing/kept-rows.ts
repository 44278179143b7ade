import type { Database, Transaction } from '../database/surface.ts'
import { sql } from '../database/sql/plan/statement.ts'
import type { Statement } from '../database/sql/plan/statement.ts'

const prefix = 'framework_kept_'

/**
 * Keeps the rows that a database has now, to bring them back before each test: `const rows = await
 * keepRows(app.services.database)`, then `beforeEach(() => rows.restore())`. For a database that only this
 * test uses.
 */
export async function keepRows(database: Database): Promise<KeptRows> {
  const found = await database.rows(database.dialect.schema.listTables)
  const names = found.map(({ name }) => String(name))
  const copies = names.filter((name) => name.startsWith(prefix))
  for (const copy of copies) await database.run(sql`DROP TABLE ${sql.name(copy)}`)
  const tables = names.filter((name) => !name.startsWith(prefix))
  const kept = new Map<string, string>()
  for (const [at, table] of tables.entries()) {
    const some = await database.rows(sql`SELECT 1 AS found FROM ${sql.name(table)} LIMIT 1`)
    if (some.length === 0) continue
    // By its number: with a prefix, a name could be too long.
    const copy = `${prefix}${at}`
    await database.run(sql`CREATE TABLE ${sql.name(copy)} AS SELECT * FROM ${sql.name(table)}`)
    kept.set(table, copy)
  }
  return new KeptRows(database, tables, kept)
}

/** The rows of a database, kept in copies of its tables; see `keepRows`. */
export class KeptRows {
  readonly #database: Database
  readonly #copies: ReadonlyMap<string, string>
  #deletes: readonly Statement[]
  #inserts: readonly Statement[]

  constructor(database: Database, tables: readonly string[], copies: ReadonlyMap<string, string>) {
    this.#database = database
    this.#copies = copies
    this.#deletes = tables.map((table) => sql`DELETE FROM ${sql.name(table)}`)
    this.#inserts = Array.from(
      copies,
      ([table, copy]) => sql`INSERT INTO ${sql.name(table)} SELECT * FROM ${sql.name(copy)}`,
    )
  }

  /** Brings the rows back, in one transaction. Keys of new rows go on counting. */
  async restore(): Promise<void> {
    await this.#database.transaction(
      async (transaction) => {
        this.#deletes = await runInAnyOrder(transaction, this.#deletes)
        this.#inserts = await runInAnyOrder(transaction, this.#inserts)
      },
      { foreignKeys: false },
    )
  }

  /** Drops the copies. A database in memory needs no such thing. */
  async drop(): Promise<void> {
    for (const copy of this.#copies.values()) {
      await this.#database.run(sql`DROP TABLE IF EXISTS ${sql.name(copy)}`)
    }
  }
}

/** Runs statements that foreign keys may forbid before others have run; returns them in an order that works. */
async function runInAnyOrder(
  transaction: Transaction,
  statements: readonly Statement[],
): Promise<readonly Statement[]> {
  const done: Statement[] = []
  let left = statements
  while (left.length > 0) {
    const failed: Statement[] = []
    let reason: unknown = null
    for (const statement of left) {
      try {
        await transaction.transaction((savepoint) => savepoint.run(statement))
        done.push(statement)
      } catch (thrown) {
        reason = thrown
        failed.push(statement)
      }
    }
    if (failed.length === left.length) throw reason
    left = failed
  }
  return done
}
