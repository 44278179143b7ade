import { InvalidArgumentException } from '../base/errors.ts'
import type { Surface } from '../database/surface.ts'
import type {
  ColumnChange,
  ConcurrentIndexes,
  IndexDefinition,
} from '../database/sql/dialects/alter/alter-dialect.ts'
import type { CatalogColumn } from '../database/sql/dialects/catalog/catalog-dialect.ts'
import { sql } from '../database/sql/plan/statement.ts'

/**
 * Refuses to make a column NOT NULL that holds NULL: some databases would invent a value.
 * @throws InvalidArgumentException
 */
export async function refuseNulls(surface: Surface, table: string, column: string): Promise<void> {
  const [row] = await surface.rows(
    sql`SELECT COUNT(*) AS nulls FROM ${sql.name(table)} WHERE ${sql.name(column)} IS NULL`,
  )
  const nulls = Number(row?.['nulls'])
  if (nulls === 0) return
  throw new InvalidArgumentException(
    'E_NOT_NULL',
    `${table}.${column}: ${nulls === 1 ? '1 row is' : `${nulls} rows are`} NULL; fill them first with schema.run, or leave the column nullable()`,
  )
}

/**
 * Refuses a number type that would round: of the databases some do so without a word.
 * @throws InvalidArgumentException
 */
export async function refuseRounding(
  surface: Surface,
  { type }: CatalogColumn,
  { table, column }: ColumnChange,
): Promise<void> {
  const isWhole = ['integer', 'safe-integer', 'bigint'].includes(column.kind)
  const digits = column.kind === 'decimal' ? column.scale : 0
  if (!fractions.test(type) || (!isWhole && column.kind !== 'decimal')) return
  const name = surface.dialect.quote(column.name)
  const [row] = await surface.rows({
    sql: `SELECT COUNT(*) AS inexact FROM ${surface.dialect.quote(table)} WHERE ${name} <> ${surface.dialect.schema.alter.rounded(name, digits)}`,
    parameters: [],
  })
  const inexact = Number(row?.['inexact'])
  if (inexact === 0) return
  throw new InvalidArgumentException(
    'E_VALUE',
    `${table}.${column.name}: ${inexact === 1 ? '1 row has' : `${inexact} rows have`} more digits after the point than ${column.kind}${isWhole ? '' : ` (${column.precision}, ${digits})`} keeps; round them first with schema.run`,
  )
}

const fractions = /numeric|decimal|double|real|float/i

/** Builds an index outside a transaction; a failed build leaves nothing behind. */
export async function buildConcurrently(
  surface: Surface,
  builder: ConcurrentIndexes,
  index: IndexDefinition,
  statement: string,
): Promise<void> {
  if ((await builder.settle(surface, index)) === 'built') return
  try {
    await surface.run({ sql: statement, parameters: [] })
  } catch (error) {
    // The first error is the one to report; what could not be removed now is removed by the next attempt.
    await builder.settle(surface, index).catch(() => undefined)
    throw error
  }
}

/** A change that blocks others for long, because its table is big. */
export interface MigrationWarning {
  readonly table: string
  /** About how many rows it has. */
  readonly rows: number
  /** What is going to happen, and how to avoid it. */
  readonly text: string
}

/** Who is warned, and from how many rows on. */
export interface WarningOptions {
  /** Rows from which a table is big. */
  readonly bigTable: number
  /** Called before the change; to throw stops the migration. */
  readonly onWarning: (warning: MigrationWarning) => void
}

/** Warns of a change, if its table is big. `reason` is null for a change that blocks nobody. */
export async function warnOfBlocking(
  surface: Surface,
  { bigTable, onWarning }: WarningOptions,
  { table, change, reason }: { table: string; change: string; reason: string | null },
): Promise<void> {
  if (reason === null) return
  const rows = await surface.dialect.schema.catalog.estimateRows(surface, table)
  if (rows < bigTable) return
  const about = rows.toLocaleString('en')
  onWarning({ table, rows, text: `${table} has about ${about} rows: ${change} ${reason}` })
}
