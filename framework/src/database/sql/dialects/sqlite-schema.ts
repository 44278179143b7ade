import { invalidArgument } from '../../../base/errors.ts'
import type { ColumnDefinition } from '../plan/column-reference.ts'
import { sql } from '../plan/statement.ts'
import { exactDigits } from '../values/decimal.ts'
import { sqliteAlter } from './alter/sqlite-alter.ts'
import { sqliteCatalog } from './catalog/sqlite-catalog.ts'
import { dropAll, membersCheck } from './schema-clauses.ts'
import { doubleQuoted as quote } from './notation.ts'
import type { SchemaDialect } from './schema-dialect.ts'
import type { StatementRunner } from './statement-runner.ts'

/** The schema dialect of SQLite. */
export const sqliteSchema: SchemaDialect = {
  types: {
    integer: () => 'INTEGER',
    'safe-integer': () => 'INTEGER',
    bigint: () => 'INTEGER',
    decimal: decimalType,
    float: () => 'REAL',
    boolean: () => 'INTEGER',
    text: () => 'TEXT',
    uuid: () => 'TEXT',
    enumeration: () => 'TEXT',
    date: () => 'TEXT',
    time: () => 'TEXT',
    timestamp: () => 'TEXT',
    'exact-timestamp': () => 'TEXT',
    json: () => 'TEXT',
    bytes: () => 'BLOB',
  },
  // Without AUTOINCREMENT the id of a deleted row is reused, together with whatever still refers to
  // it.
  identity: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  identityIsKey: true,
  now: `(strftime('%Y-%m-%d %H:%M:%f', 'now') || '000')`,
  literals: {
    boolean: (value) => (value ? '1' : '0'),
    text: sqliteText,
    bytes: (hex) => `x'${hex}'`,
  },
  check,
  tableOptions: '',
  addsConstraints: false,

  refuseUnindexable: () => undefined,
  refuseUnindexableIn: () => Promise.resolve(),
  refuseAdded,

  alter: sqliteAlter,
  catalog: sqliteCatalog,
  dropIndex: (index) => `DROP INDEX ${index}`,
  findTable: (name) =>
    sql`SELECT 1 AS found FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ${name}`,
  listTables: sql`SELECT name FROM sqlite_schema
    WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' AND sql NOT LIKE 'CREATE VIRTUAL%'`,
  dropEverything,

  implicitCommit: null,
  runsAlone: false,
  sessionLock: null,
}

function decimalType({ name, precision, scale }: ColumnDefinition): string {
  if (precision <= exactDigits) return `DECIMAL(${precision}, ${scale})`
  throw invalidArgument(
    `${name}: SQLite stores at most ${exactDigits} digits of a decimal exactly, got ${precision}`,
  )
}

// SQLite accepts any value in any column unless a CHECK forbids it.
function check(column: ColumnDefinition, name: string): string | null {
  const { kind, length, isFixed } = column
  if (kind === 'integer') return `${name} BETWEEN -2147483648 AND 2147483647`
  if (kind === 'boolean') return `${name} IN (0, 1)`
  if (kind === 'json') return `json_valid(${name})`
  if (kind === 'text' || kind === 'bytes') {
    return length === null ? null : `length(${name}) ${isFixed ? '=' : '<='} ${length}`
  }
  // Sorting as text equals sorting by time only if all rows have the same format.
  if (kind === 'timestamp') return `${name} GLOB '????-??-?? ??:??:??.??????'`
  if (kind === 'uuid') return `${name} GLOB '${uuidGlob}'`
  if (kind === 'enumeration') return membersCheck(column, name, sqliteText)
  if (kind === 'time') return `${name} IS time(${name}) AND ${name} < '24:00:00'`
  if (kind === 'date') return `${name} IS date(${name})`
  return null
}

const hex = '[0-9a-f]'
const uuidGlob = [8, 4, 4, 4, 12].map((length) => hex.repeat(length)).join('-')

function sqliteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function refuseAdded(table: string, column: ColumnDefinition): void {
  const reason = objection(column)
  if (reason === null) return
  throw invalidArgument(
    `${table}.${column.name}: SQLite cannot add a column ${reason} to an existing table`,
  )
}

function objection({ isNullable, default: given, target }: ColumnDefinition): string | null {
  if (given?.type === 'now') return 'that defaults to the time of the insert'
  if (target !== null && (!isNullable || given !== null)) {
    return 'that refers to another table, unless it is nullable and without a default'
  }
  return isNullable || given !== null ? null : 'that is neither nullable nor has a default'
}

// Runs in a transaction without foreign keys.
async function dropEverything(runner: StatementRunner): Promise<void> {
  const found = await runner.rows(
    sql`SELECT name, type AS kind FROM sqlite_schema
      WHERE type IN ('view', 'table') AND substr(name, 1, 7) <> 'sqlite_'
      ORDER BY type DESC, sql NOT LIKE 'CREATE VIRTUAL%'`,
  )
  await runner.transaction((transaction) =>
    dropAll(transaction, quote, found, (kind) => kind.toUpperCase()),
  )
}
