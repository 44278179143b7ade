import type { ColumnDefinition } from '../plan/column-definition.ts'
import type { ColumnKind } from '../plan/column-reference.ts'
import type { Statement } from '../plan/statement.ts'
import type { StatementRunner } from './statement-runner.ts'

/** How one database makes, changes and drops tables, and how migrations take turns on it. */
export interface SchemaDialect {
  /** The types of columns. They throw InvalidArgumentException for one that cannot be had. */
  readonly types: Readonly<Record<ColumnKind, (column: ColumnDefinition) => string>>
  /** The type of a key that the database counts up. */
  readonly identity: string
  /** Whether `identity` makes it the primary key as well. */
  readonly identityIsKey: boolean
  /** The default that is the time of the insert. */
  readonly now: string
  /** Values as parts of a statement. */
  readonly literals: {
    readonly boolean: (value: boolean) => string
    /** Takes a text without NUL. */
    readonly text: (text: string) => string
    readonly bytes: (hex: string) => string
  }
  /** What the type of a column leaves open and every other database refuses; null for nothing. */
  readonly check: (column: ColumnDefinition, name: string) => string | null
  /** What follows the columns of a new table. */
  readonly tableOptions: string
  /** Whether a constraint can be added to a table that exists. */
  readonly addsConstraints: boolean

  /**
   * Refuses keys and indexes over columns that cannot have one.
   * @throws InvalidArgumentException that names the column.
   */
  readonly refuseUnindexable: (
    table: string,
    columns: readonly ColumnDefinition[],
    indexed: readonly string[],
  ) => void
  /** The same for a table that exists. */
  readonly refuseUnindexableIn: (
    runner: StatementRunner,
    table: string,
    indexed: readonly string[],
  ) => Promise<void>
  /**
   * Refuses a column that cannot be added to a table that exists.
   * @throws InvalidArgumentException that names the column.
   */
  readonly refuseAdded: (table: string, column: ColumnDefinition) => void

  /** Drops an index; takes quoted names. */
  readonly dropIndex: (index: string, table: string) => string
  /** The statements that drop a column and every index it is part of. */
  readonly dropColumn: (
    runner: StatementRunner,
    table: string,
    column: string,
  ) => Promise<readonly string[]>
  /** Selects a row when there is a table or view of this name. */
  readonly findTable: (name: string) => Statement
  /** Drops every view and table, whatever is in them and whoever refers to them. */
  readonly dropEverything: (runner: StatementRunner) => Promise<void>

  /** How a change of a table ends its transaction; null where it can be rolled back like any other. */
  readonly implicitCommit: ImplicitCommit | null
  /** Whether a migration may ask to run outside a transaction, for what cannot be inside one. */
  readonly runsAlone: boolean
  /** How a session keeps other migrations out; null where a transaction that writes does. */
  readonly sessionLock: SessionLock | null
}

/** What is known of a database that commits with each change of a table. */
export interface ImplicitCommit {
  /** Gives `open`: 1 inside a transaction. */
  readonly isOpen: Statement
  readonly begin: Statement
  /** Why a failed migration leaves something behind, for people. */
  readonly reason: string
}

/** What a session says to be alone with its migrations. */
export interface SessionLock {
  /** Gives `taken`. It answers at once: a statement that waits could run into its own time limit. */
  readonly take: string
  readonly leave: string
  /** Ends the wait for a table that others hold, behind which all their later statements would queue up. */
  readonly limitWait: (seconds: number) => readonly string[]
  readonly restoreWait: string
}
