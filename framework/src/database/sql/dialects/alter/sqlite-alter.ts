import { invalidArgument, InvalidArgumentException } from '../../../../base/errors.ts'
import type { ColumnKind } from '../../plan/column-reference.ts'
import { sql } from '../../plan/statement.ts'
import { namesIn } from '../schema-clauses.ts'
import { doubleQuoted as quote } from '../notation.ts'
import type { StatementRunner } from '../statement-runner.ts'
import type { AlterDialect, ColumnChange, ForeignKeyChange } from './alter-dialect.ts'
import { misfitError } from './misfits.ts'
import { definitionOf, rebuildTable } from './sqlite-rebuild.ts'
import { foreignKeyColumn, inlineReference, isSameName, parseTable } from './sqlite-table-text.ts'
import type { TablePart, TableText } from './sqlite-table-text.ts'

const waits = 'nobody else can write meanwhile; do it when nobody has to'
const rebuilds = `copies the table, and ${waits}`

/** How SQLite changes tables: mostly by rebuilding them. */
export const sqliteAlter: AlterDialect = {
  changeColumn,
  dropColumn,
  addForeignKey,
  dropForeignKey,
  // Existing rows are always checked.
  validateForeignKey: () => Promise.resolve(),
  rounded: (column, digits) => `round(${column}, ${digits})`,
  isIndexed,
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

async function changeColumn(runner: StatementRunner, change: ColumnChange): Promise<void> {
  const { table, column, clause } = change
  const edit = ({ parts }: TableText): readonly string[] =>
    parts.map((part) =>
      isColumn(part, column.name) ? changedPart(table, part, clause) : part.text,
    )
  assertColumn(table, column.name, parseTable(table, await definitionOf(runner, table)))
  const verify = (copy: string): Promise<void> => refuseMisfits(runner, change, copy)
  const refuse = (rows: number): InvalidArgumentException => misfitError(change, rows)
  const values = await conversion(runner, change)
  await rebuildTable(runner, { table, edit, verify, refuse, values })
}

// A decimal is stored as a number, whose text lacks the zeros at its end.
async function conversion(
  runner: StatementRunner,
  { table, column }: ColumnChange,
): Promise<ReadonlyMap<string, string>> {
  const [row] = await runner.rows(
    sql`SELECT name, type FROM pragma_table_info(${table}) WHERE name = ${column.name} COLLATE NOCASE`,
  )
  const [, scale] = /^DECIMAL\(\d+, (\d+)\)$/.exec(String(row?.['type'])) ?? []
  if (scale === undefined || column.kind !== 'text') return new Map()
  const name = String(row?.['name'])
  const text = `CASE WHEN ${quote(name)} IS NULL THEN NULL ELSE printf('%.${scale}f', ${quote(name)}) END`
  return new Map([[name, text]])
}

// References stay; whatever else was written by hand would be lost without a word.
function changedPart(table: string, { tokens, column }: TablePart, clause: string): string {
  const reference = inlineReference(tokens)
  const rest =
    reference === null ? tokens : tokens.toSpliced(reference.from, reference.to - reference.from)
  const lost = rest.find((token) => unkept.has(token.toUpperCase()))
  if (lost !== undefined) {
    throw invalidArgument(
      `${table}.${column}: its definition has ${lost.toUpperCase()}, which changeColumn would lose; create another table, copy the rows and rename it`,
    )
  }
  return reference === null
    ? clause
    : `${clause} ${tokens.slice(reference.from, reference.to).join(' ')}`
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

async function dropColumn(runner: StatementRunner, table: string, column: string): Promise<void> {
  const text = parseTable(table, await definitionOf(runner, table))
  if (refersBy(text, column)) {
    const edit = ({ parts }: TableText): readonly string[] =>
      parts
        .filter((part) => !isColumn(part, column) && !isKeyOf(part, column))
        .map((part) => part.text)
    return rebuildTable(runner, { table, edit, dropped: column })
  }
  const indexes = await runner.rows(
    sql`SELECT list.name AS name FROM pragma_index_list(${table}) AS list
      JOIN pragma_index_info(list.name) AS info WHERE list.origin = 'c' AND info.name = ${column}`,
  )
  for (const index of namesIn(indexes)) {
    await runner.run({ sql: `DROP INDEX ${quote(index)}`, parameters: [] })
  }
  const statement = `ALTER TABLE ${quote(table)} DROP COLUMN ${quote(column)}`
  await runner.run({ sql: statement, parameters: [] })
}

async function addForeignKey(
  runner: StatementRunner,
  { table, column, clause }: ForeignKeyChange,
): Promise<void> {
  const text = parseTable(table, await definitionOf(runner, table))
  assertColumn(table, column, text)
  if (refersBy(text, column)) {
    throw invalidArgument(
      `${table}.${column} is a foreign key already; drop that one first with dropForeignKey`,
    )
  }
  await rebuildTable(runner, {
    table,
    edit: ({ parts }) => [...parts.map((part) => part.text), clause],
    verify: (copy) => refuseOrphans(runner, { table, column }, copy),
  })
}

async function refuseOrphans(
  runner: StatementRunner,
  { table, column }: Pick<ForeignKeyChange, 'table' | 'column'>,
  copy: string,
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
    `${table}.${column}: ${orphans === 1 ? '1 row refers' : `${orphans} rows refer`} to nothing; delete or change them first with schema.run`,
  )
}

async function dropForeignKey(
  runner: StatementRunner,
  table: string,
  column: string,
): Promise<void> {
  const text = parseTable(table, await definitionOf(runner, table))
  if (!refersBy(text, column)) {
    throw invalidArgument(`${table}.${column} is not a foreign key`)
  }
  const edit = ({ parts }: TableText): readonly string[] =>
    parts
      .filter((part) => !isKeyOf(part, column))
      .map((part) => (isColumn(part, column) ? withoutReference(part) : part.text))
  await rebuildTable(runner, { table, edit })
}

function withoutReference({ text, tokens }: TablePart): string {
  const reference = inlineReference(tokens)
  if (reference === null) return text
  return tokens.toSpliced(reference.from, reference.to - reference.from).join(' ')
}

async function isIndexed(runner: StatementRunner, table: string, column: string): Promise<boolean> {
  const found = await runner.rows(
    sql`SELECT 1 AS found FROM pragma_index_list(${table}) AS list
      JOIN pragma_index_info(list.name) AS info
      WHERE list.partial = 0 AND info.seqno = 0 AND info.name = ${column} COLLATE NOCASE
      UNION ALL SELECT 1 FROM pragma_table_info(${table}) WHERE pk = 1 AND name = ${column} COLLATE NOCASE`,
  )
  return found.length > 0
}

function refersBy({ parts }: TableText, column: string): boolean {
  return parts.some(
    (part) =>
      isKeyOf(part, column) || (isColumn(part, column) && inlineReference(part.tokens) !== null),
  )
}

function isColumn(part: TablePart, column: string): boolean {
  return part.column !== null && isSameName(part.column, column)
}

function isKeyOf(part: TablePart, column: string): boolean {
  const key = foreignKeyColumn(part)
  return key !== null && isSameName(key, column)
}

function assertColumn(table: string, column: string, { parts }: TableText): void {
  if (parts.some((part) => isColumn(part, column))) return
  throw invalidArgument(`${table} has no column ${column}`)
}
