import { invalidArgument } from '../../../../base/errors.ts'
import { sql } from '../../plan/statement.ts'
import { doubleQuoted as quote } from '../notation.ts'
import type { StatementRunner } from '../statement-runner.ts'
import { ForeignKeysOnError } from './alter-dialect.ts'
import { isMisfit } from './misfits.ts'
import { isSameName, parseTable } from './sqlite-table-text.ts'
import type { TableText } from './sqlite-table-text.ts'

/** What a rebuild changes. */
interface Rebuild {
  readonly table: string
  /** The new parts of the table, from the old ones. */
  readonly edit: (text: TableText) => readonly string[]
  /** A column that the new table does not have, whose indexes are not created again. */
  readonly dropped?: string
  /** The expression that gives the new value of a column, by column. */
  readonly values?: ReadonlyMap<string, string>
  /** The error for this many rows that a check of the new table refuses. */
  readonly refuse?: (rows: number) => Error
  /** Called when the rows are copied and both tables exist; throws to stop. */
  readonly verify?: (copy: string) => Promise<void>
}

/**
 * Replaces a table by a copy with another definition, the only way to change one in SQLite. Rows, ids,
 * indexes, triggers, views and the counter of ids stay. It needs a transaction.
 * @throws ForeignKeysOnError if others refer to the table and foreign keys are enforced.
 */
export async function rebuildTable(runner: StatementRunner, rebuild: Rebuild): Promise<void> {
  const { table, edit, values = new Map() } = rebuild
  const text = parseTable(table, await definitionOf(runner, table))
  await refuseReferences(runner, table)
  const copy = `framework_rebuilt_${table}`
  const parts = edit(text)
  const columns = await copiedColumns(runner, rebuild)
  const later = await dependents(runner, rebuild)
  const names = columns.map(quote).join(', ')
  const sources = columns.map((column) => values.get(column) ?? quote(column)).join(', ')
  const run = (statement: string): Promise<unknown> =>
    runner.run({ sql: statement, parameters: [] })

  await run(`CREATE TABLE ${quote(copy)} (\n  ${parts.join('\n  , ')}\n)${text.ending}`)
  const filled = `INTO ${quote(copy)} (${names}) SELECT ${sources} FROM ${quote(table)}`
  try {
    await run(`INSERT ${filled}`)
  } catch (error) {
    if (rebuild.refuse === undefined || !isMisfit(error)) throw error
    await run(`INSERT OR IGNORE ${filled}`)
    throw rebuild.refuse((await countOf(runner, table)) - (await countOf(runner, copy)))
  }
  await rebuild.verify?.(copy)
  await keepCounter(runner, table, copy)
  await run(`DROP TABLE ${quote(table)}`)
  // Otherwise the rename fails on views and triggers that name the table, which is gone just now.
  await run('PRAGMA legacy_alter_table = ON')
  try {
    await run(`ALTER TABLE ${quote(copy)} RENAME TO ${quote(table)}`)
  } finally {
    await run('PRAGMA legacy_alter_table = OFF')
  }
  for (const statement of later) await run(statement)
}

async function countOf(runner: StatementRunner, table: string): Promise<number> {
  const [row] = await runner.rows(sql`SELECT count(*) AS rows FROM ${sql.name(table)}`)
  return Number(row?.['rows'])
}

/**
 * The stored text of a table.
 * @throws InvalidArgumentException if there is no such table.
 */
export async function definitionOf(runner: StatementRunner, table: string): Promise<string> {
  const [row] = await runner.rows(
    sql`SELECT sql AS text FROM sqlite_schema WHERE type = 'table' AND name = ${table} COLLATE NOCASE`,
  )
  if (typeof row?.['text'] === 'string') return row['text']
  throw invalidArgument(`there is no table ${table}`)
}

// While foreign keys are enforced, DROP TABLE deletes row by row, and the rows of others with them.
async function refuseReferences(runner: StatementRunner, table: string): Promise<void> {
  const [setting] = await runner.rows(sql`PRAGMA foreign_keys`)
  if (Number(setting?.['foreign_keys']) !== 1) return
  const referring = await runner.rows(
    sql`SELECT 1 AS found FROM sqlite_schema AS tables
      JOIN pragma_foreign_key_list(tables.name) AS keys
      WHERE tables.type = 'table' AND keys."table" = ${table} COLLATE NOCASE LIMIT 1`,
  )
  if (referring.length > 0) throw new ForeignKeysOnError(table)
}

// Generated columns cannot be written.
async function copiedColumns(
  runner: StatementRunner,
  { table, dropped }: Rebuild,
): Promise<readonly string[]> {
  const rows = await runner.rows(
    sql`SELECT name FROM pragma_table_xinfo(${table}) WHERE hidden = 0 ORDER BY cid`,
  )
  return rows
    .map(({ name }) => String(name))
    .filter((name) => dropped === undefined || !isSameName(name, dropped))
}

/** The statements that create the indexes and triggers again. */
async function dependents(
  runner: StatementRunner,
  { table, dropped }: Rebuild,
): Promise<readonly string[]> {
  const rows = await runner.rows(
    sql`SELECT sql AS text FROM sqlite_schema
      WHERE tbl_name = ${table} COLLATE NOCASE AND type IN ('index', 'trigger') AND sql IS NOT NULL
      AND NOT EXISTS (
        SELECT 1 FROM pragma_index_info(sqlite_schema.name) AS part
        WHERE type = 'index' AND part.name = ${dropped ?? null} COLLATE NOCASE)
      ORDER BY rowid`,
  )
  return rows.map(({ text }) => String(text))
}

// Otherwise the ids of deleted rows would be given again.
async function keepCounter(runner: StatementRunner, table: string, copy: string): Promise<void> {
  const [counted] = await runner.rows(
    sql`SELECT 1 AS found FROM sqlite_schema WHERE name = 'sqlite_sequence'`,
  )
  if (counted === undefined) return
  await runner.run(sql`DELETE FROM sqlite_sequence WHERE name = ${copy}`)
  await runner.run(
    sql`INSERT INTO sqlite_sequence (name, seq)
      SELECT ${copy}, seq FROM sqlite_sequence WHERE name = ${table} COLLATE NOCASE`,
  )
}
