import type { ColumnKind } from '../plan/column-reference.ts'
import { sql } from '../plan/statement.ts'
import type { ClaimedRow, Dialect, ListedValues, RowClaim } from './dialect.ts'
import { jsonList } from './json-list.ts'
import { mariadbExplain, mariadbReadsWhole } from './mariadb-explain.ts'
import { mariadbSchema } from './mariadb-schema.ts'
import { comparedDecimal, mariadbValues } from './mariadb-values.ts'
import { backquoted as quote } from './quote-identifier.ts'
import { QuotedColumns } from './quoted-columns.ts'
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
  values: mariadbValues,
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
  explain: mariadbExplain,
  preferIndexes: [],
  readsWholeTable: mariadbReadsWhole,

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
