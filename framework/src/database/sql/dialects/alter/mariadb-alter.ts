import { invalidArgument } from '../../../../base/errors.ts'
import type { ColumnDefinition } from '../../plan/column-reference.ts'
import { sql } from '../../plan/statement.ts'
import { namesIn } from '../schema-clauses.ts'
import { backquoted as quote } from '../notation.ts'
import type { CatalogColumn } from '../catalog/catalog-dialect.ts'
import type { StatementRunner } from '../statement-runner.ts'
import { countingMisfits } from './misfits.ts'
import type { AlterDialect, ColumnChange, IndexTraits } from './alter-dialect.ts'

const copies = 'copies the table and blocks every write meanwhile, before MariaDB 11.2'

/** How MariaDB changes tables: one statement for each change, since it commits with each. */
export const mariadbAlter: AlterDialect = {
  changeColumn,
  dropColumn,
  addForeignKey: (runner, { table, clause }) => alter(runner, table, [`ADD ${clause}`]),
  dropForeignKey,
  // Existing rows are always checked.
  validateForeignKey: () => Promise.resolve(),
  rounded: (column, digits) => `ROUND(${column}, ${digits})`,
  isIndexed,
  countOrphans: null,
  refuseIndex,
  // InnoDB builds an index while others write wherever it can.
  concurrently: null,
  slow: {
    changeColumn: slowColumnChange,
    dropColumn: null,
    createIndex: null,
    addForeignKey: `${copies}; do it when few write, or add the key while the table is small`,
    dropForeignKey: null,
  },
}

function changeColumn(runner: StatementRunner, change: ColumnChange): Promise<void> {
  return countingMisfits(
    change,
    () => alter(runner, change.table, [`MODIFY COLUMN ${change.clause}`]),
    () => misfits(runner, change),
  )
}

async function misfits(runner: StatementRunner, change: ColumnChange): Promise<number> {
  const name = quote(change.column.name)
  const check = change.check(name) ?? 'TRUE'
  const [row] = await runner.rows({
    sql: `SELECT COUNT(*) AS misfits FROM ${quote(change.table)} WHERE ${name} IS NOT NULL AND (${oddValue(change.column, name)} OR NOT (${check}))`,
    parameters: [],
  })
  return Number(row?.['misfits'])
}

// In a SELECT a cast that fails is NULL or 0 instead of an error.
function oddValue({ kind, length, precision, scale }: ColumnDefinition, name: string): string {
  const number = `CAST(${name} AS DECIMAL(65, 30))`
  const isOdd = `${name} NOT REGEXP '${numberPattern}'`
  const isBeyond = (bits: number): string =>
    `${isOdd} OR ${number} NOT BETWEEN -${2n ** BigInt(bits)} AND ${2n ** BigInt(bits) - 1n}`
  if (kind === 'integer') return isBeyond(31)
  if (kind === 'safe-integer' || kind === 'bigint') return isBeyond(63)
  if (kind === 'decimal') return `${isOdd} OR ABS(${number}) >= ${10n ** BigInt(precision - scale)}`
  if (kind === 'float' || kind === 'boolean') return isOdd
  if (kind === 'date') return `CAST(${name} AS DATE) IS NULL`
  if (kind === 'timestamp') return `CAST(${name} AS DATETIME(6)) IS NULL`
  if (kind === 'time') return `${name} NOT REGEXP '[0-9]' OR CAST(${name} AS TIME) IS NULL`
  if (kind === 'json') return `NOT JSON_VALID(${name})`
  if (length === null) return 'FALSE'
  return `${kind === 'bytes' ? 'LENGTH' : 'CHAR_LENGTH'}(${name}) > ${length}`
}

const numberPattern = '^ *[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)(e[-+]?[0-9]+)? *$'

function slowColumnChange(current: CatalogColumn, { column, type }: ColumnChange): string | null {
  const [from, to] = [normalType(current.type), normalType(type)]
  if (from !== to && !isWider(from, to)) {
    return `${copies}; add a column, fill it in parts, and drop the old one when nobody reads it any more`
  }
  return current.isNullable && !column.isNullable
    ? 'writes every row anew, and everything waits for it at its beginning and its end; do it when few write'
    : null
}

// The widths of integers are only for display.
function normalType(type: string): string {
  return type
    .toLowerCase()
    .replace(/^((?:big|small|medium)?int)\(\d+\)/, '$1')
    .replaceAll(' ', '')
}

// In place as long as the length fits the same number of bytes: 63 characters of four bytes.
function isWider(from: string, to: string): boolean {
  const [old, wanted] = [from, to].map((type) => Number(/^varchar\((\d+)\)$/.exec(type)?.[1]))
  if (old === undefined || wanted === undefined || !(wanted >= old)) return false
  return wanted <= 63 || old > 63
}

async function dropColumn(runner: StatementRunner, table: string, column: string): Promise<void> {
  const keys = await foreignKeys(runner, table, column)
  const indexes = await runner.rows(
    sql`SELECT DISTINCT index_name AS name FROM information_schema.statistics
      WHERE table_schema = DATABASE() AND table_name = ${table} AND column_name = ${column} AND index_name <> 'PRIMARY'`,
  )
  await alter(runner, table, [
    ...keys.map((key) => `DROP FOREIGN KEY ${quote(key)}`),
    ...namesIn(indexes).map((index) => `DROP INDEX ${quote(index)}`),
    `DROP COLUMN ${quote(column)}`,
  ])
}

async function dropForeignKey(
  runner: StatementRunner,
  table: string,
  column: string,
): Promise<void> {
  const keys = await foreignKeys(runner, table, column)
  if (keys.length === 0) {
    throw invalidArgument(`${table}.${column} is not a foreign key`)
  }
  await alter(
    runner,
    table,
    keys.map((key) => `DROP FOREIGN KEY ${quote(key)}`),
  )
}

async function foreignKeys(
  runner: StatementRunner,
  table: string,
  column: string,
): Promise<readonly string[]> {
  const rows = await runner.rows(
    sql`SELECT DISTINCT constraint_name AS name FROM information_schema.key_column_usage
      WHERE table_schema = DATABASE() AND table_name = ${table} AND column_name = ${column} AND referenced_table_name IS NOT NULL`,
  )
  return namesIn(rows)
}

async function isIndexed(runner: StatementRunner, table: string, column: string): Promise<boolean> {
  const found = await runner.rows(
    sql`SELECT 1 AS found FROM information_schema.statistics
      WHERE table_schema = DATABASE() AND table_name = ${table} AND column_name = ${column} AND seq_in_index = 1 LIMIT 1`,
  )
  return found.length > 0
}

function refuseIndex({ name, isPartial, columns }: IndexTraits): void {
  if (isPartial) {
    throw invalidArgument(
      `${name}: MariaDB has no indexes on a part of the rows; leave where out there, or index a generated column that is NULL for the other rows`,
    )
  }
  if (!columns.includes(null)) return
  throw invalidArgument(
    `${name}: MariaDB has no indexes on expressions; add a generated column with schema.run and index that`,
  )
}

async function alter(
  runner: StatementRunner,
  table: string,
  parts: readonly string[],
): Promise<void> {
  await runner.run({ sql: `ALTER TABLE ${quote(table)} ${parts.join(', ')}`, parameters: [] })
}
