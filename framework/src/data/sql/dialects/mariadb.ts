import { sql } from '../plan/statement.ts'
import type { ClaimedRow, Dialect, RowClaim } from './dialect.ts'
import { mariadbSchema } from './mariadb-schema.ts'
import { comparedDecimal, mariadbValues } from './mariadb-values.ts'
import { backquoted as quote } from './quote-identifier.ts'
import { QuotedColumns } from './quoted-columns.ts'
import type { StatementRunner } from './statement-runner.ts'

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
  name: 'mariadb',
  quote,
  placeholder: () => '?',
  columns: new QuotedColumns(quote),
  values: mariadbValues,
  schema: mariadbSchema,
  maxParameters: 65_535,

  claim,

  locks: { update: ' FOR UPDATE', share: ' LOCK IN SHARE MODE' },
  noLimit: ' LIMIT 18446744073709551615',
  // Its LIKE goes by the collation, and that of our migrations tells every sign from every other.
  like: (column, place) => `LOWER(${column}) LIKE LOWER(${place})`,
  escapeByBackslash: '',
  // A text that is bound would be compared as a double.
  comparand: (place, column) =>
    column.kind === 'decimal' ? `CAST(${place} AS ${comparedDecimal(column)})` : place,

  seeksByRows: false,
  splitsAlternatives: true,
  mergesUnions: false,
  estimate: { explain: 'EXPLAIN EXTENDED', read: expectedRows },

  hidesFailedCommit: false,
}

// NULL is less than any value here, and there is no other way to say where it goes.
function orderNulls(column: string, order: 'ASC' | 'DESC', nulls: 'FIRST' | 'LAST'): string {
  const isFirst = nulls === 'FIRST'
  const ordered = `${column} ${order}`
  if (isFirst !== (order === 'DESC')) return ordered
  return `${column} IS NULL ${isFirst ? 'DESC' : 'ASC'}, ${ordered}`
}

// READ COMMITTED locks the rows that are found and not the gaps between, where others add theirs.
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
    { isolation: 'read-committed' },
  )
}

// A row a table, with the rows it looks at and the percentage of them that stay.
function expectedRows(row: unknown): number {
  if (typeof row !== 'object' || row === null) return Number.NaN
  const rows: unknown = Reflect.get(row, 'rows')
  const filtered: unknown = Reflect.get(row, 'filtered')
  return (Number(rows) * Number(filtered ?? 100)) / 100
}
