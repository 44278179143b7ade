import { FrameworkError, InvalidArgumentException } from '../../../../base/errors.ts'
import type { ColumnDefinition } from '../../plan/column-reference.ts'
import type { Orders } from '../../plan/operators.ts'
import type { Statement } from '../../plan/statement.ts'
import type { CatalogColumn, CatalogForeignKey, CatalogTable } from '../catalog/catalog-dialect.ts'
import type { StatementRunner } from '../statement-runner.ts'

/** A column as it shall be, with the parts of its definition as SQL. */
export interface ColumnChange {
  readonly table: string
  readonly column: ColumnDefinition
  /** The whole definition: name, type, nullability, default and check. */
  readonly clause: string
  /** The type alone. */
  readonly type: string
  /** The default as SQL; null for none. */
  readonly default: string | null
  /** The condition of its check on an expression, such as its quoted name; null for none. */
  readonly check: (expression: string) => string | null
}

/** A foreign key to add. */
export interface ForeignKeyChange {
  readonly table: CatalogTable
  readonly column: string
  /** `CONSTRAINT … FOREIGN KEY … REFERENCES …`. */
  readonly clause: string
  /** False to leave the check of existing rows to `validateForeignKey`, where that is possible. */
  readonly validate: boolean
}

/** A part of an index: either a column or an expression. */
export interface IndexPart {
  readonly name: string | null
  readonly expression: Statement | null
  readonly order: Orders
}

/** The complete definition of an index. */
export interface IndexDefinition {
  readonly name: string
  readonly table: string
  readonly columns: readonly IndexPart[]
  readonly isUnique: boolean
  /** Which rows it has; null for all. */
  readonly where: Statement | null
}

/**
 * Why a change of a big table blocks others for long, and how to avoid that, as the end of a
 * sentence; null if it does not.
 */
export interface SlowChanges {
  readonly changeColumn: (current: CatalogColumn, change: ColumnChange) => string | null
  readonly dropColumn: string | null
  readonly createIndex: string | null
  readonly addForeignKey: string | null
  readonly dropForeignKey: string | null
}

/** How one database changes tables that have rows. */
export interface AlterDialect {
  /** Gives a column another type, nullability and default. */
  readonly changeColumn: (
    runner: StatementRunner,
    change: ColumnChange,
    current: CatalogColumn,
  ) => Promise<void>
  /** A number rounded to digits after the point; takes a quoted name. */
  readonly rounded: (column: string, digits: number) => string
  /** Drops a column, every index it is part of and its foreign key. */
  readonly dropColumn: (
    runner: StatementRunner,
    table: CatalogTable,
    column: string,
  ) => Promise<void>
  readonly addForeignKey: (runner: StatementRunner, key: ForeignKeyChange) => Promise<void>
  /** Drops foreign keys. */
  readonly dropForeignKeys: ChangeKeys
  /** Checks the rows of foreign keys that were added without; null where they always are. */
  readonly validateForeignKeys: ChangeKeys | null
  /**
   * Rejects an index that the database cannot have.
   * @throws InvalidArgumentException that says what to write instead.
   */
  readonly refuseIndex: (index: IndexDefinition) => void
  /**
   * Counts the rows that refer to nothing: `child`, `parent` and `orphans`, for a migration that runs
   * without foreign keys; null on a database that never does.
   */
  readonly countOrphans: Statement | null
  /** How to build an index while others write; null if every index is built in the same way. */
  readonly concurrently: ConcurrentIndexes | null
  readonly slow: SlowChanges
}

/** Changes foreign keys of a table, which are all of one column. */
type ChangeKeys = (
  runner: StatementRunner,
  table: CatalogTable,
  keys: readonly CatalogForeignKey[],
) => Promise<void>

/** Indexes that are built and dropped outside a transaction, without blocking writers. */
export interface ConcurrentIndexes {
  /** Follows INDEX in CREATE and DROP. */
  readonly keyword: string
  /** Why it cannot be done in a transaction, and what to do. */
  readonly objection: string
  /**
   * Looks for what an earlier attempt left: removes half an index, and tells whether the whole one
   * is there already.
   * @throws InvalidArgumentException if another index has the name.
   */
  readonly settle: (runner: StatementRunner, index: IndexDefinition) => Promise<'missing' | 'built'>
}

/**
 * A table that others refer to cannot be rebuilt while foreign keys are enforced: dropping the old one
 * would delete or reject the rows of the others. `Migrator` then runs the migration again in a
 * transaction without them.
 */
export class ForeignKeysOnError extends FrameworkError {
  constructor(table: string) {
    super(
      'E_MIGRATION',
      `${table} has to be rebuilt, and other rows refer to it; run this in transaction(work, { foreignKeys: false })`,
    )
  }
}

/** Whether a statement failed because a row does not fit its column. */
export function isMisfit(error: unknown): boolean {
  return error instanceof FrameworkError && (error.code === 'E_VALUE' || error.code === 'E_CHECK')
}

/** The error for rows whose values the changed column could not hold. */
export function misfitError(
  { table, column: { name, kind, length, precision, scale } }: ColumnChange,
  rows: number,
): InvalidArgumentException {
  const digits = kind === 'decimal' ? ` (${precision}, ${scale})` : ''
  const size = length === null ? digits : ` (${length})`
  return new InvalidArgumentException(
    'E_VALUE',
    `${table}.${name}: ${rows === 1 ? '1 row has a value' : `${rows} rows have values`} that do${rows === 1 ? 'es' : ''} not fit ${kind}${size}; change ${rows === 1 ? 'it' : 'them'} first with schema.run`,
  )
}

/**
 * Runs the change of a column. If rows do not fit, the error says how many.
 * @throws InvalidArgumentException (E_VALUE)
 */
export async function countingMisfits(
  change: ColumnChange,
  work: () => Promise<void>,
  count: () => Promise<number>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isMisfit(error)) throw error
    // The first error is the one to report if they cannot be counted.
    const rows = await count().catch(() => 0)
    throw rows === 0 ? error : misfitError(change, rows)
  }
}

/** Makes changes of a table, whose name is quoted, in one statement. */
export async function alterTable(
  runner: StatementRunner,
  table: string,
  parts: readonly string[],
): Promise<void> {
  await runner.run({ sql: `ALTER TABLE ${table} ${parts.join(', ')}`, parameters: [] })
}
