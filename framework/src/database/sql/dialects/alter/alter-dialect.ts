import { FrameworkError } from '../../../../base/errors.ts'
import type { ColumnDefinition } from '../../plan/column-reference.ts'
import type { Statement } from '../../plan/statement.ts'
import type { CatalogColumn } from '../catalog/catalog-dialect.ts'
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
  readonly table: string
  readonly column: string
  /** `CONSTRAINT … FOREIGN KEY … REFERENCES …`. */
  readonly clause: string
  /** False to leave the check of existing rows to `validateForeignKey`, where that is possible. */
  readonly validate: boolean
}

/** An index by what a database may refuse. */
export interface IndexTraits {
  readonly table: string
  readonly name: string
  readonly isUnique: boolean
  readonly isPartial: boolean
  /** The names of its columns, null for an expression. */
  readonly columns: readonly (string | null)[]
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
  readonly changeColumn: (runner: StatementRunner, change: ColumnChange) => Promise<void>
  /** A number rounded to digits after the point; takes a quoted name. */
  readonly rounded: (column: string, digits: number) => string
  /** Drops a column, every index it is part of and its foreign key. */
  readonly dropColumn: (runner: StatementRunner, table: string, column: string) => Promise<void>
  readonly addForeignKey: (runner: StatementRunner, key: ForeignKeyChange) => Promise<void>
  /**
   * Drops the foreign keys of one column.
   * @throws InvalidArgumentException if it has none.
   */
  readonly dropForeignKey: (runner: StatementRunner, table: string, column: string) => Promise<void>
  /** Checks the rows of a foreign key that was added without. */
  readonly validateForeignKey: (
    runner: StatementRunner,
    table: string,
    column: string,
  ) => Promise<void>
  /** Whether an index of the table begins with the column. */
  readonly isIndexed: (runner: StatementRunner, table: string, column: string) => Promise<boolean>
  /**
   * Rejects an index that the database cannot have.
   * @throws InvalidArgumentException that says what to write instead.
   */
  readonly refuseIndex: (index: IndexTraits) => void
  /**
   * Counts the rows that refer to nothing: `child`, `parent` and `orphans`, for a migration that runs
   * without foreign keys; null on a database that never does.
   */
  readonly countOrphans: Statement | null
  /** How to build an index while others write; null if every index is built in the same way. */
  readonly concurrently: ConcurrentIndexes | null
  readonly slow: SlowChanges
}

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
  readonly settle: (runner: StatementRunner, index: IndexTraits) => Promise<'missing' | 'built'>
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
