import { invalidArgument } from '../../../base/errors.ts'
import type { ColumnDefinition } from '../plan/column-reference.ts'
import { sql } from '../plan/statement.ts'
import { exactDigits } from '../values/decimal.ts'
import { sqliteAlter } from './alter/sqlite-alter.ts'
import { checksIn } from './alter/sqlite-table-text.ts'
import type { CatalogLimit, CatalogTable } from './catalog/catalog-dialect.ts'
import { describeTable, fitsPattern } from './catalog/catalog-dialect.ts'
import { dropAll, membersCheck } from './schema-dialect.ts'
import { doubleQuoted as quote } from './notation.ts'
import type { SchemaDialect } from './schema-dialect.ts'
import type { StatementRunner } from './statement-runner.ts'

// A type is only a hint in SQLite: by their names it converts values.
const whole = /INT|BOOL/i

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
  refuseAdded,

  alter: sqliteAlter,
  catalog: {
    readTable,
    fits: (type, column) => fitsPattern(patterns, type, column),
    integers: whole,
    estimateRows,
  },
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

const text = /CHAR|CLOB|TEXT|^$/i

const patterns: Readonly<Record<string, RegExp>> = {
  integer: whole,
  'safe-integer': whole,
  bigint: whole,
  decimal: /^(?:DECIMAL|NUMERIC)(?:\((\d+)(?:, ?(\d+))?\))?$/i,
  float: /REAL|FLOA|DOUB/i,
  boolean: whole,
  text,
  uuid: /CHAR|TEXT|UUID/i,
  enumeration: text,
  date: /TEXT|DATE/i,
  time: /TEXT|TIME/i,
  timestamp: /TEXT|TIME/i,
  'exact-timestamp': /TEXT|TIME/i,
  json: /TEXT|JSON/i,
  bytes: /BLOB|^$/i,
}

async function readTable(runner: StatementRunner, name: string): Promise<CatalogTable | null> {
  const definition = sql`FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ${name} COLLATE NOCASE`
  const table = await describeTable(runner, {
    table: sql`SELECT name, type = 'view' AS is_view ${definition}`,
    // An INTEGER PRIMARY KEY is the id of the row, which SQLite chooses.
    columns: sql`SELECT name, type, dflt_value AS expression, NULL AS members,
        "notnull" = 0 AND NOT is_row_id AS is_nullable,
        dflt_value IS NOT NULL OR is_row_id OR hidden > 1 AS has_default
      FROM (SELECT *, pk > 0 AND upper(type) = 'INTEGER' AND sum(pk > 0) OVER () = 1 AS is_row_id
        FROM pragma_table_xinfo(${name}) WHERE hidden <> 1) ORDER BY cid`,
    indexes: sql`SELECT * FROM (
        SELECT 'sqlite_primary' AS name, name AS column_name, 1 AS is_unique, 0 AS is_partial,
          1 AS is_primary, -1 AS seq, pk AS place FROM pragma_table_info(${name}) WHERE pk > 0
        UNION ALL SELECT list.name, info.name, list."unique", list.partial, 0, list.seq, info.seqno
          FROM pragma_index_list(${name}) AS list JOIN pragma_index_info(list.name) AS info)
      ORDER BY seq, place`,
    // A key that names only a table refers to its primary key.
    keys: sql`SELECT list.id AS name, list."from" AS column_name, list."table" AS target_table,
        coalesce(list."to", (SELECT target.name FROM pragma_table_info(list."table") AS target WHERE target.pk = list.seq + 1)) AS target_column
      FROM pragma_foreign_key_list(${name}) AS list ORDER BY list.id, list.seq`,
    checks: null,
    membersIn: () => null,
  })
  if (table === null) return null
  const [row] = await runner.rows(sql`SELECT sql AS text ${definition}`)
  const checks = checksIn(String(row?.['text']))
  const columns = table.columns.map((own) => ({ ...own, limit: checkedLength(own.name, checks) }))
  return { ...table, columns, checks }
}

// Lengths are checks: `length("title") <= 80`.
function checkedLength(name: string, checks: readonly string[]): CatalogLimit {
  const start = `length(${quote(name)}) `
  const check = checks.find((text) => text.startsWith(start))
  const found = /^(<=|=) (\d+)$/.exec(check?.slice(start.length) ?? '')
  return { length: found === null ? null : Number(found[2]), isFixed: found?.[1] === '=' }
}

// There are no statistics, but the highest id is found at once.
async function estimateRows(runner: StatementRunner, table: string): Promise<number> {
  try {
    const [row] = await runner.rows(sql`SELECT max(rowid) AS estimate FROM ${sql.name(table)}`)
    return Number(row?.['estimate'] ?? 0)
  } catch {
    // A table without row ids, or none.
    return 0
  }
}
