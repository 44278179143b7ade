import { scanStatement } from '../../mariadb/scan-statement.ts'
import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'
import { sql } from '../plan/statement.ts'
import { numberReaders } from '../values/column-readers.ts'
import { hasDigits } from '../values/decimal.ts'
import type { ClaimedRow, Dialect, ListedValues, RowClaim } from './dialect.ts'
import { jsonList } from './dialect.ts'
import { mariadbSchema } from './mariadb-schema.ts'
import { backquoted as quote, QuotedColumns, Texts } from './notation.ts'
import type { StatementRunner } from './statement-runner.ts'
import { exactSums } from './sum-dialect.ts'

/** MariaDB. */
export const mariadb: Dialect = {
  insertDefaults: ' () VALUES ()',
  namesConflict: false,
  onConflict: () => 'ON DUPLICATE KEY UPDATE',
  inserted: (column) => `VALUES(${column})`,
  keepOnConflict: ({ first }) => `ON DUPLICATE KEY UPDATE ${first} = ${first}`,
  returnsUpdated: false,
  deleteSome: ({ table, condition, limit }) =>
    sql`DELETE FROM ${table} WHERE ${condition} LIMIT ${limit}`,
  orderNulls,
  plus: (name, place) => `${name} + ${place}`,
  name: 'mariadb',
  system: 'mariadb',
  quote,
  placeholder: () => '?',
  columns: new QuotedColumns(quote),
  texts: new Texts(),
  values: {
    readers: numberReaders,
    refuseInexact: () => undefined,
    decimal: (digits) => digits,
    cursorDecimal: (text, column) => (fitsCompared(text, column) ? text : undefined),
    // There are no infinities.
    cursorNonFinite: () => undefined,
    // With anything after the fraction it does not recognise a timestamp, and finds nothing.
    comparesZones: false,
  },
  schema: mariadbSchema,
  maxParameters: 65_535,

  claim,

  locks: {
    update: ' FOR UPDATE',
    'no-key-update': ' FOR UPDATE',
    share: ' LOCK IN SHARE MODE',
    'key-share': ' LOCK IN SHARE MODE',
    skip: ' SKIP LOCKED',
    fail: ' NOWAIT',
  },
  sums: exactSums((name) => `CAST(${name} AS DOUBLE)`),
  noLimit: ' LIMIT 18446744073709551615',
  // ENUM is ordered by the declaration of its members, but compared as text. A function of the column
  // has its text and its collation.
  orderedBy: (name, { kind }) => (kind === 'enumeration' ? `CONCAT(${name})` : name),
  rankedBy: (name) => name,
  // LIKE follows the collation, and that of our migrations is case-sensitive.
  like: (column, place) => `LOWER(${column}) LIKE LOWER(${place})`,
  escapeByBackslash: '',
  // A bound text would be compared as a double.
  comparand: (place, column) =>
    column.kind === 'decimal' ? `CAST(${place} AS ${comparedDecimal(column)})` : place,
  // An update or a delete uses no index for a longer one.
  maxPlaces: 16_000,
  // Not texts, whose collation would have to be that of the column.
  listed: ({ kind }) => (integers.has(kind) ? listedIntegers : null),

  seeksByRows: false,
  splitsAlternatives: true,
  mergesUnions: false,
  unionBranch: (select) => `(${select})`,
  hasLateral: false,
  estimate: { explain: 'EXPLAIN EXTENDED', read: expectedRows },
  explain,
  preferIndexes: [],
  readsWholeTable,

  hidesFailedCommit: false,
}

// NULL sorts before any value, and there is no NULLS FIRST or NULLS LAST.
function orderNulls(column: string, order: 'ASC' | 'DESC', nulls: 'FIRST' | 'LAST'): string {
  const isFirst = nulls === 'FIRST'
  const ordered = `${column} ${order}`
  if (isFirst !== (order === 'DESC')) return ordered
  return `${column} IS NULL ${isFirst ? 'DESC' : 'ASC'}, ${ordered}`
}

// READ COMMITTED locks only the rows found, not the gaps into which others insert.
function claim(
  runner: StatementRunner,
  { table, pick, changes, returning }: RowClaim,
): Promise<readonly ClaimedRow[]> {
  return runner.transaction(
    async (transaction) => {
      const found = await transaction.rows(sql`${pick} FOR UPDATE SKIP LOCKED`)
      if (found.length === 0) return []
      const ids = sql.list(found.map(({ id }) => id))
      await transaction.run(sql`UPDATE ${table} SET ${changes} WHERE id IN (${ids})`)
      const columns = sql.list(returning.map((column) => sql.name(column)))
      return transaction.rows(sql`SELECT id, ${columns} FROM ${table} WHERE id IN (${ids})`)
    },
    runner.transactional ? {} : { isolation: 'read-committed' },
  )
}

// Estimated rows per table, and the percentage of them that remain.
function expectedRows(row: unknown): number {
  if (typeof row !== 'object' || row === null) return Number.NaN
  const rows: unknown = Reflect.get(row, 'rows')
  const filtered: unknown = Reflect.get(row, 'filtered')
  return (Number(rows) * Number(filtered ?? 100)) / 100
}

const integers: ReadonlySet<ColumnKind> = new Set(['integer', 'safe-integer', 'bigint'])

// DISTINCT makes a table of the list first: otherwise an update or a delete reads it again for each row.
const listedIntegers: ListedValues = {
  text: jsonList,
  condition: (name, place) =>
    `${name} IN (SELECT value FROM (SELECT DISTINCT value` +
    ` FROM JSON_TABLE(${place}, '$[*]' COLUMNS (value BIGINT PATH '$')) AS listed) AS listed)`,
}

/**
 * The type for comparing a decimal, since a bound text would be compared as a double: the maximum
 * number of digits, with room for those that the column has before the point.
 */
export function comparedDecimal({ precision, scale }: ColumnReference): string {
  return `DECIMAL(${maxDigits}, ${comparedScale(precision - scale)})`
}

/** Whether a text keeps all digits in the type of `comparedDecimal`. */
export function fitsCompared(text: string, { precision, scale }: ColumnReference): boolean {
  const after = comparedScale(precision - scale)
  return hasDigits(text, maxDigits - after, after)
}

const maxDigits = 65

function comparedScale(before: number): number {
  return Math.min(30, maxDigits - before)
}

/** Does not change the plan, but is refused in a read-only transaction. */
const lock = /\s(?:FOR UPDATE|LOCK IN SHARE MODE)(?: SKIP LOCKED| NOWAIT| WAIT \d+)?\s*$/i

/**
 * The plan of a SELECT in MariaDB. The server plans only for certain values; the text '1' can be
 * compared with every type. With NULL the plan would be an "Impossible WHERE".
 */
async function explain(runner: StatementRunner, select: string): Promise<readonly string[]> {
  const { placeholders } = scanStatement(select)
  const rows = await runner.rows({
    sql: `EXPLAIN ${select.replace(lock, '')}`,
    parameters: Array.from({ length: placeholders }, () => '1'),
  })
  return rows.map(line)
}

type PlanRow = Readonly<Record<string, unknown>>

function line(row: PlanRow): string {
  const [kind, table, type, key, rows, extra] = columns.map((column) => textOf(row[column]))
  const parts = [
    table === '' ? '' : `table ${table}`,
    type === '' ? '' : `${type} by ${key === '' ? 'no key' : key}`,
    rows === '' ? '' : `${rows} rows`,
    extra,
  ]
  return `${kind}: ${parts.filter((part) => part !== '').join(', ')}`
}

const columns = ['select_type', 'table', 'type', 'key', 'rows', 'Extra']

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : ''
}

/** Whether a plan reads a table, or an index to be sorted, from end to end. */
function readsWholeTable(plan: readonly string[], table: string): boolean {
  return plan.some((text) => {
    const [, name, type] = /: table (\S+), (\w+) by /.exec(text) ?? []
    if (name !== table) return false
    return type === 'ALL' || (type === 'index' && text.includes('Using filesort'))
  })
}
