import { invalidArgument, InvalidArgumentException } from '../../../../base/errors.ts'
import type { ColumnKind } from '../../plan/column-reference.ts'
import { sql } from '../../plan/statement.ts'
import { doubleQuoted as quote } from '../notation.ts'
import { isSameName, keysOf } from '../catalog/catalog-dialect.ts'
import type { CatalogColumn, CatalogForeignKey, CatalogTable } from '../catalog/catalog-dialect.ts'
import type { StatementRunner } from '../statement-runner.ts'
import type { AlterDialect, ColumnChange, ForeignKeyChange } from './alter-dialect.ts'
import { misfitError, ForeignKeysOnError, isMisfit } from './alter-dialect.ts'
import { foreignKeyColumn, splitReference, parseTable } from './sqlite-table-text.ts'
import type { TablePart, TableText } from './sqlite-table-text.ts'

const waits = 'nobody else can write meanwhile; do it when nobody has to'
const rebuilds = `copies the table, and ${waits}`

/** How SQLite changes tables: mostly by rebuilding them. */
export const sqliteAlter: AlterDialect = {
  changeColumn,
  dropColumn,
  addForeignKey,
  dropForeignKeys,
  validateForeignKeys: null,
  rounded: (column, digits) => `round(${column}, ${digits})`,
  countOrphans: sql`SELECT "table" AS child, parent, count(*) AS orphans FROM pragma_foreign_key_check GROUP BY 1, 2`,
  refuseIndex: () => undefined,
  concurrently: null,
  slow: {
    changeColumn: () => rebuilds,
    dropColumn: `writes every row anew, and ${waits}`,
    createIndex: `reads every row, and ${waits}`,
    addForeignKey: rebuilds,
    dropForeignKey: rebuilds,
  },
}

function changeColumn(
  runner: StatementRunner,
  change: ColumnChange,
  current: CatalogColumn,
): Promise<void> {
  const { table, column, clause } = change
  const edit = ({ parts }: TableText): readonly string[] =>
    parts.map((part) =>
      isColumn(part, column.name) ? changedPart(table, part, clause) : part.text,
    )
  const verify = (copy: string): Promise<void> => refuseMisfits(runner, change, copy)
  const refuse = (rows: number): InvalidArgumentException => misfitError(change, rows)
  const values = conversion(change, current)
  return rebuildTable(runner, { table, edit, verify, refuse, values })
}

// A decimal is stored as a number, whose text lacks the zeros at its end.
function conversion(
  { column }: ColumnChange,
  { name, type }: CatalogColumn,
): ReadonlyMap<string, string> {
  const [, scale] = /^DECIMAL\(\d+, (\d+)\)$/.exec(type) ?? []
  if (scale === undefined || column.kind !== 'text') return new Map()
  const text = `CASE WHEN ${quote(name)} IS NULL THEN NULL ELSE printf('%.${scale}f', ${quote(name)}) END`
  return new Map([[name, text]])
}

// References stay; whatever else was written by hand would be lost without a word.
function changedPart(table: string, { tokens, column }: TablePart, clause: string): string {
  const { reference, rest } = splitReference(tokens)
  const lost = rest.find((token) => unkept.has(token.toUpperCase()))
  if (lost !== undefined) {
    throw invalidArgument(
      `${table}.${column}: its definition has ${lost.toUpperCase()}, which changeColumn would lose; create another table, copy the rows and rename it`,
    )
  }
  return [clause, ...reference].join(' ')
}

const unkept: ReadonlySet<string> = new Set(['PRIMARY', 'UNIQUE', 'COLLATE', 'GENERATED'])

// SQLite stores a value that cannot be converted as it is, where other databases report an error.
async function refuseMisfits(
  runner: StatementRunner,
  change: ColumnChange,
  copy: string,
): Promise<void> {
  const { name, kind } = change.column
  const stored = storedTypes[kind] ?? byType[change.type]
  if (stored === undefined) return
  const [row] = await runner.rows(
    sql`SELECT count(*) AS misfits FROM ${sql.name(copy)}
      WHERE typeof(${sql.name(name)}) NOT IN ('null', ${sql.list(stored)})`,
  )
  const misfits = Number(row?.['misfits'])
  if (misfits > 0) throw misfitError(change, misfits)
}

const storedTypes: Readonly<Partial<Record<ColumnKind, readonly string[]>>> = {
  decimal: ['integer', 'real'],
  float: ['real', 'integer'],
}

const byType: Readonly<Record<string, readonly string[]>> = {
  INTEGER: ['integer'],
  TEXT: ['text'],
  BLOB: ['blob'],
}

async function dropColumn(
  runner: StatementRunner,
  table: CatalogTable,
  column: string,
): Promise<void> {
  if (keysOf(table, column).length > 0) {
    const edit = ({ parts }: TableText): readonly string[] =>
      parts
        .filter((part) => !isColumn(part, column) && !isKeyOf(part, column))
        .map((part) => part.text)
    return rebuildTable(runner, { table: table.name, edit, dropped: column })
  }
  const run = (statement: string): Promise<unknown> =>
    runner.run({ sql: statement, parameters: [] })
  for (const { name, columns } of table.indexes) {
    // Those of constraints are refused, with the column.
    if (!name.startsWith('sqlite_') && columns.includes(column))
      await run(`DROP INDEX ${quote(name)}`)
  }
  await run(`ALTER TABLE ${quote(table.name)} DROP COLUMN ${quote(column)}`)
}

async function addForeignKey(
  runner: StatementRunner,
  { table, column, clause }: ForeignKeyChange,
): Promise<void> {
  if (keysOf(table, column).length > 0) {
    throw invalidArgument(
      `${table.name}.${column} is a foreign key already; drop that one first with dropForeignKey`,
    )
  }
  await rebuildTable(runner, {
    table: table.name,
    edit: ({ parts }) => [...parts.map((part) => part.text), clause],
    verify: (copy) => refuseOrphans(runner, `${table.name}.${column}`, { copy, column }),
  })
}

async function refuseOrphans(
  runner: StatementRunner,
  place: string,
  { copy, column }: { readonly copy: string; readonly column: string },
): Promise<void> {
  const keys = await runner.rows(
    sql`SELECT id FROM pragma_foreign_key_list(${copy}) WHERE "from" = ${column} COLLATE NOCASE`,
  )
  const ids = new Set(keys.map(({ id }) => Number(id)))
  const orphans = (
    await runner.rows(sql`SELECT fkid FROM pragma_foreign_key_check(${copy})`)
  ).filter(({ fkid }) => ids.has(Number(fkid))).length
  if (orphans === 0) return
  throw new InvalidArgumentException(
    'E_FOREIGN_KEY',
    `${place}: ${orphans === 1 ? '1 row refers' : `${orphans} rows refer`} to nothing; delete or change them first with schema.run`,
  )
}

async function dropForeignKeys(
  runner: StatementRunner,
  table: CatalogTable,
  keys: readonly CatalogForeignKey[],
): Promise<void> {
  const column = keys[0]?.columns[0] ?? ''
  const edit = ({ parts }: TableText): readonly string[] =>
    parts
      .filter((part) => !isKeyOf(part, column))
      .map((part) => (isColumn(part, column) ? withoutReference(part) : part.text))
  await rebuildTable(runner, { table: table.name, edit })
}

function withoutReference({ text, tokens }: TablePart): string {
  const { reference, rest } = splitReference(tokens)
  return reference.length === 0 ? text : rest.join(' ')
}

function isColumn(part: TablePart, column: string): boolean {
  return part.column !== null && isSameName(part.column, column)
}

function isKeyOf(part: TablePart, column: string): boolean {
  const key = foreignKeyColumn(part)
  return key !== null && isSameName(key, column)
}

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
async function rebuildTable(runner: StatementRunner, rebuild: Rebuild): Promise<void> {
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
async function definitionOf(runner: StatementRunner, table: string): Promise<string> {
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
