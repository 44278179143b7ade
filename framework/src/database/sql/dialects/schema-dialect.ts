import type { ColumnDefinition, ColumnKind } from '../plan/column-reference.ts'
import type { Statement } from '../plan/statement.ts'
import type { AlterDialect } from './alter/alter-dialect.ts'
import type { CatalogDialect } from './catalog/catalog-dialect.ts'
import type { StatementRunner } from './statement-runner.ts'

/** How one database creates, alters and drops tables, and how it locks for migrations. */
export interface SchemaDialect {
  /** The types of columns. They throw InvalidArgumentException for an unsupported one. */
  readonly types: Readonly<Record<ColumnKind, (column: ColumnDefinition) => string>>
  /** The type of an auto-incremented key. */
  readonly identity: string
  /** Whether `identity` includes PRIMARY KEY. */
  readonly identityIsKey: boolean
  /** The default for the time of the insert. */
  readonly now: string
  /** Values as SQL literals. */
  readonly literals: {
    readonly boolean: (value: boolean) => string
    /** Takes a text without NUL. */
    readonly text: (text: string) => string
    readonly bytes: (hex: string) => string
  }
  /**
   * A CHECK for what the type of a column does not enforce but other databases do; null for none.
   */
  readonly check: (column: ColumnDefinition, name: string) => string | null
  /** Follows the columns of a new table. */
  readonly tableOptions: string
  /** Whether a constraint can be added to an existing table. */
  readonly addsConstraints: boolean

  /**
   * Rejects keys and indexes on columns that cannot be indexed.
   * @throws InvalidArgumentException that names the column.
   */
  readonly refuseUnindexable: (
    table: string,
    columns: readonly ColumnDefinition[],
    indexed: readonly string[],
  ) => void
  /** The same for an existing table. */
  readonly refuseUnindexableIn: (
    runner: StatementRunner,
    table: string,
    indexed: readonly string[],
  ) => Promise<void>
  /**
   * Rejects a column that cannot be added to an existing table.
   * @throws InvalidArgumentException that names the column.
   */
  readonly refuseAdded: (table: string, column: ColumnDefinition) => void

  /** How it changes tables that have rows. */
  readonly alter: AlterDialect
  /** How it describes its tables. */
  readonly catalog: CatalogDialect
  /** Drops an index; takes quoted names. */
  readonly dropIndex: (index: string, table: string) => string
  /** Selects a row if there is a table or view with this name. */
  readonly findTable: (name: string) => Statement
  /** Selects the `name` of each table, views excluded. */
  readonly listTables: Statement
  /** Drops every view and table, with their rows and whatever refers to them. */
  readonly dropEverything: (runner: StatementRunner) => Promise<void>

  /**
   * How a schema change ends its transaction; null if it can be rolled back like any other change.
   */
  readonly implicitCommit: ImplicitCommit | null
  /** Whether a migration may run outside a transaction, for statements that require it. */
  readonly runsAlone: boolean
  /** How a session locks out other migrations; null if a write transaction does. */
  readonly sessionLock: SessionLock | null
}

/** The behaviour of a database that commits with each schema change. */
export interface ImplicitCommit {
  /** Returns `open`: 1 inside a transaction. */
  readonly isOpen: Statement
  readonly begin: Statement
  /** Why a failed migration leaves something behind, for messages. */
  readonly reason: string
}

/** The statements with which a session locks out other migrations. */
export interface SessionLock {
  /** Returns `taken`, without waiting: a waiting statement could hit its own timeout. */
  readonly take: string
  readonly leave: string
  /**
   * Limits the wait for a locked table, since all later statements of others would queue behind it.
   */
  readonly limitWait: (seconds: number) => readonly string[]
  readonly restoreWait: string
}
