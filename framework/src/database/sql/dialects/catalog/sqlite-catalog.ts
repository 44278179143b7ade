import { sql } from '../../plan/statement.ts'
import { doubleQuoted as quote } from '../notation.ts'
import { checksIn } from '../alter/sqlite-table-text.ts'
import type { StatementRunner } from '../statement-runner.ts'
import type { CatalogDialect, CatalogLimit, CatalogTable } from './catalog-dialect.ts'
import { defaultIn, fitsPattern, foreignKeysIn, indexesIn, isYes } from './catalog-rows.ts'

// A type is only a hint in SQLite: by their names it converts values.
const whole = /INT|BOOL/i
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

/** The catalog of SQLite. */
export const sqliteCatalog: CatalogDialect = {
  readTable,
  fits: (type, column) => fitsPattern(patterns, type, column),
  integers: whole,
  estimateRows,
}

async function readTable(runner: StatementRunner, name: string): Promise<CatalogTable | null> {
  const [found] = await runner.rows(
    sql`SELECT name, type, sql AS text FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ${name} COLLATE NOCASE`,
  )
  if (found === undefined) return null
  const columns = await runner.rows(
    sql`SELECT name, type, "notnull" AS required, dflt_value, pk, hidden FROM pragma_table_xinfo(${name})
      WHERE hidden <> 1 ORDER BY cid`,
  )
  const primary = columns
    .filter(({ pk }) => Number(pk) > 0)
    .toSorted((one, other) => Number(one['pk']) - Number(other['pk']))
    .map((column) => String(column['name']))
  const indexes = await runner.rows(
    sql`SELECT list.name AS name, info.name AS column_name, list."unique" AS is_unique, list.partial AS is_partial
      FROM pragma_index_list(${name}) AS list JOIN pragma_index_info(list.name) AS info
      ORDER BY list.seq, info.seqno`,
  )
  // A key that names only a table refers to its primary key.
  const keys = await runner.rows(
    sql`SELECT list.id AS name, list."from" AS column_name, list."table" AS target_table,
        coalesce(list."to", (SELECT target.name FROM pragma_table_info(list."table") AS target WHERE target.pk = list.seq + 1)) AS target_column
      FROM pragma_foreign_key_list(${name}) AS list ORDER BY list.id, list.seq`,
  )
  // An INTEGER PRIMARY KEY is the id of the row, which SQLite chooses.
  const isRowId = (column: Readonly<Record<string, unknown>>): boolean =>
    primary.length === 1 && Number(column['pk']) > 0 && /^INTEGER$/i.test(String(column['type']))
  return {
    name: String(found['name']),
    isView: found['type'] === 'view',
    columns: columns.map((column) => ({
      name: String(column['name']),
      type: String(column['type']),
      isNullable: !isYes(column['required']) && !isRowId(column),
      hasDefault: column['dflt_value'] !== null || isRowId(column) || Number(column['hidden']) > 1,
      default: defaultIn(column['dflt_value']),
      limit: checkedLength(String(column['name']), String(found['text'])),
      members: null,
    })),
    primary,
    indexes: [{ columns: primary, isUnique: true, isPartial: false }, ...indexesIn(indexes)].filter(
      (index) => index.columns.length > 0,
    ),
    foreignKeys: foreignKeysIn(keys),
    checks: checksIn(String(found['text'])),
  }
}

// Lengths are checks: `CHECK (length("title") <= 80)`.
function checkedLength(name: string, table: string): CatalogLimit {
  const start = `CHECK (length(${quote(name)}) `
  const at = table.indexOf(start)
  const found = at === -1 ? null : /^(<=|=) (\d+)\)/.exec(table.slice(at + start.length))
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
