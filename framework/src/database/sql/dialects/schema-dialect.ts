import type { ColumnDefinition, ColumnKind } from '../plan/column-reference.ts'
import type { Statement } from '../plan/statement.ts'
import type { AlterDialect } from './alter/alter-dialect.ts'
import type { CatalogColumn, CatalogDialect } from './catalog/catalog-dialect.ts'
import type { StatementRunner } from './statement-runner.ts'
import type { Notation } from './notation.ts'

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
    columns: readonly Pick<CatalogColumn, 'name' | 'type'>[],
    indexed: readonly string[],
  ) => void
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

/** A table, view or the like, as listed in a catalog. */
type CatalogEntry = Readonly<Record<string, unknown>>

/**
 * Drops the listed tables and views by `name` and `kind`. Skips those already gone: dropping one
 * may have dropped others that depend on it.
 */
export async function dropAll(
  runner: StatementRunner,
  quote: Notation['quote'],
  found: readonly CatalogEntry[],
  kindOf: (kind: string) => string,
  ending = '',
): Promise<void> {
  for (const { name, kind } of found) {
    const statement = `DROP ${kindOf(String(kind))} IF EXISTS ${quote(String(name))}${ending}`
    await runner.run({ sql: statement, parameters: [] })
  }
}

/** The type of a text with a length; null without one. */
export function limitedText({ length, isFixed }: ColumnDefinition): string | null {
  if (length === null) return null
  return isFixed ? `CHAR(${length})` : `VARCHAR(${length})`
}

/** The CHECK that a column has one of the texts of its enumeration; takes its quoted name. */
export function membersCheck(
  { members = [] }: ColumnDefinition,
  name: string,
  literal: (text: string) => string,
): string {
  return `${name} IN (${members.map(literal).join(', ')})`
}

/** The number of characters of the longest text of an enumeration. */
export function memberLength({ members = [] }: ColumnDefinition): number {
  return members.reduce((length, member) => Math.max(length, Array.from(member).length), 1)
}
