import { invalidArgument } from '../../../../base/errors.ts'
import type { ColumnDefinition } from '../../plan/column-reference.ts'
import { backquoted as quote } from '../notation.ts'
import { isSameName } from '../catalog/catalog-dialect.ts'
import type { CatalogColumn, CatalogTable } from '../catalog/catalog-dialect.ts'
import type { StatementRunner } from '../statement-runner.ts'
import { alterTable, countingMisfits } from './alter-dialect.ts'
import type { AlterDialect, ColumnChange, IndexDefinition } from './alter-dialect.ts'

const copies = 'copies the table and blocks every write meanwhile, before MariaDB 11.2'

/** How MariaDB changes tables: one statement for each change, since it commits with each. */
export const mariadbAlter: AlterDialect = {
  changeColumn,
  dropColumn,
  addForeignKey: (runner, { table, clause }) => alter(runner, table.name, [`ADD ${clause}`]),
  dropForeignKeys: (runner, table, keys) => alter(runner, table.name, keys.map(droppedKey)),
  validateForeignKeys: null,
  rounded: (column, digits) => `ROUND(${column}, ${digits})`,
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

function dropColumn(runner: StatementRunner, table: CatalogTable, column: string): Promise<void> {
  const isOf = ({ columns }: { readonly columns: readonly (string | null)[] }): boolean =>
    columns.some((name) => isSameName(name, column))
  const indexes = table.indexes.filter((index) => index.name !== 'PRIMARY' && isOf(index))
  return alter(runner, table.name, [
    ...table.foreignKeys.filter(isOf).map(droppedKey),
    ...indexes.map(({ name }) => `DROP INDEX ${quote(name)}`),
    `DROP COLUMN ${quote(column)}`,
  ])
}

function droppedKey({ name }: { readonly name: string }): string {
  return `DROP FOREIGN KEY ${quote(name)}`
}

function refuseIndex({ name, where, columns }: IndexDefinition): void {
  if (where !== null) {
    throw invalidArgument(
      `${name}: MariaDB has no indexes on a part of the rows; leave where out there, or index a generated column that is NULL for the other rows`,
    )
  }
  if (columns.every((part) => part.name !== null)) return
  throw invalidArgument(
    `${name}: MariaDB has no indexes on expressions; add a generated column with schema.run and index that`,
  )
}

function alter(runner: StatementRunner, table: string, parts: readonly string[]): Promise<void> {
  return alterTable(runner, quote(table), parts)
}
