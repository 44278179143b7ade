import type { ColumnReference } from '../../plan/column-reference.ts'
import type { Statement } from '../../plan/statement.ts'
import type { StatementRunner } from '../statement-runner.ts'

/** A column as the database describes it. */
export interface CatalogColumn {
  readonly name: string
  /** In the words of the database. */
  readonly type: string
  readonly isNullable: boolean
  /** Whether an insert may omit it: it has a default, or is generated. */
  readonly hasDefault: boolean
  /** The default as SQL; null if it has none, or is generated. */
  readonly default: string | null
  readonly limit: CatalogLimit
  /** The texts that its type allows, if the database has a type for an enumeration; otherwise null. */
  readonly members: readonly string[] | null
}

/** The limit of a text or bytes. */
export interface CatalogLimit {
  /** Null for none. */
  readonly length: number | null
  /** Whether a text has exactly `length` characters. */
  readonly isFixed: boolean
}

/** An index; the primary key is one too. */
export interface CatalogIndex {
  readonly name: string
  /** Null for an expression. */
  readonly columns: readonly (string | null)[]
  readonly isUnique: boolean
  readonly isPartial: boolean
}

/** A foreign key. */
export interface CatalogForeignKey {
  readonly name: string
  readonly columns: readonly string[]
  readonly table: string
  readonly targets: readonly string[]
}

/** A table or view as the database describes it. */
export interface CatalogTable {
  readonly name: string
  /** A view has columns only. */
  readonly isView: boolean
  readonly columns: readonly CatalogColumn[]
  readonly primary: readonly string[]
  readonly indexes: readonly CatalogIndex[]
  readonly foreignKeys: readonly CatalogForeignKey[]
  /** The conditions of its CHECK constraints, as SQL. */
  readonly checks: readonly string[]
}

/** How one database describes its tables. */
export interface CatalogDialect {
  /** The table or view with this name; null if there is none. */
  readonly readTable: (runner: StatementRunner, name: string) => Promise<CatalogTable | null>
  /** Whether a column of this type holds every value of the kind. */
  readonly fits: (type: string, column: ColumnReference) => boolean
  /** The types of whole numbers, however few. */
  readonly integers: RegExp
  /** About how many rows a table has, without reading them. */
  readonly estimateRows: (runner: StatementRunner, table: string) => Promise<number>
}

/** A column of a table. */
export function columnOf({ columns }: CatalogTable, name: string): CatalogColumn | undefined {
  return (
    columns.find((column) => column.name === name) ??
    columns.find((column) => isSameName(column.name, name))
  )
}

/** The foreign keys of one column alone. */
export function keysOf(
  { foreignKeys }: CatalogTable,
  column: string,
): readonly CatalogForeignKey[] {
  return foreignKeys.filter(({ columns }) => columns.length === 1 && isSameName(columns[0], column))
}

/** Whether an index finds the rows by a column. */
export function isIndexed({ indexes }: CatalogTable, column: string): boolean {
  return indexes.some(({ columns, isPartial }) => !isPartial && isSameName(columns[0], column))
}

/** Whether two names are the same, whatever their case. */
export function isSameName(one: string | null | undefined, other: string | undefined): boolean {
  return one?.toLowerCase() === other?.toLowerCase()
}

/** The statements that describe a table, and how their values are read. */
export interface CatalogStatements {
  /** Its `name`, and whether it `is_view`; no row if there is no such table. */
  readonly table: Statement
  /** In order: `name`, `type`, `is_nullable`, `has_default`, `expression` and `members`. */
  readonly columns: Statement
  /** By index and place: `name`, `column_name`, `is_unique`, `is_partial` and `is_primary`. */
  readonly indexes: Statement
  /** By key and place: `name`, `column_name`, `target_table` and `target_column`. */
  readonly keys: Statement
  /** `condition_text`; null where only the text of the table has them. */
  readonly checks: Statement | null
  /** The texts that a type allows; null if it has no list of them. */
  readonly membersIn: (members: unknown) => readonly string[] | null
}

/** Reads what statements say about a table; null if there is none. */
export async function describeTable(
  runner: StatementRunner,
  statements: CatalogStatements,
): Promise<CatalogTable | null> {
  const [found] = await runner.rows(statements.table)
  if (found === undefined) return null
  const columns = await runner.rows(statements.columns)
  const indexes = await runner.rows(statements.indexes)
  const keys = await runner.rows(statements.keys)
  const checks = statements.checks === null ? [] : await runner.rows(statements.checks)
  const primary = indexes.filter((row) => isYes(row['is_primary']))
  return {
    name: String(found['name']),
    isView: isYes(found['is_view']),
    columns: columns.map((column) => ({
      name: String(column['name']),
      type: String(column['type']),
      isNullable: isYes(column['is_nullable']),
      hasDefault: isYes(column['has_default']),
      default: defaultIn(column['expression']),
      limit: lengthIn(String(column['type'])),
      members: statements.membersIn(column['members']),
    })),
    primary: primary.map((row) => String(row['column_name'])),
    indexes: [...Map.groupBy(indexes, ({ name }) => String(name))].map(([name, parts]) => ({
      name,
      columns: parts.map(({ column_name: column }) => (typeof column === 'string' ? column : null)),
      isUnique: isYes(parts[0]?.['is_unique']),
      isPartial: isYes(parts[0]?.['is_partial']),
    })),
    foreignKeys: [...Map.groupBy(keys, ({ name }) => String(name))].map(([name, parts]) => ({
      name,
      columns: parts.map(({ column_name: column }) => String(column)),
      table: String(parts[0]?.['target_table']),
      targets: parts.map(({ target_column: column }) => String(column)),
    })),
    checks: checks.map((row) => String(row['condition_text'])),
  }
}

// Whether a value of a catalog means yes.
function isYes(value: unknown): boolean {
  return value === true || value === 1 || value === 1n || value === '1' || value === 'YES'
}

// The length in a type such as `varchar(80)` or `char(4)`.
function lengthIn(type: string): CatalogLimit {
  const found = /^(?:(var)?(?:char|binary)|character( varying)?)\((\d+)\)/i.exec(type)
  if (found === null) return { length: null, isFixed: false }
  const isFixed = found[1] === undefined && found[2] === undefined
  return { length: Number(found[3]), isFixed }
}

// MariaDB says NULL for none, in a text.
function defaultIn(value: unknown): string | null {
  return typeof value === 'string' && value !== 'NULL' ? value : null
}

/** Whether a type matches the pattern of its kind; a decimal also needs the same digits. */
export function fitsPattern(
  patterns: Readonly<Record<string, RegExp>>,
  type: string,
  { kind, precision, scale }: ColumnReference,
): boolean {
  const pattern = patterns[kind]
  if (pattern === undefined) return true
  const found = pattern.exec(type)
  if (found === null) return false
  const [, digits, places = '0'] = kind === 'decimal' ? found : []
  return digits === undefined || (Number(digits) === precision && Number(places) === scale)
}
