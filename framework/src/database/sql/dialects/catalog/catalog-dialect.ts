import type { ColumnReference } from '../../plan/column-reference.ts'
import type { StatementRunner } from '../statement-runner.ts'

/** A column as the database describes it. */
export interface CatalogColumn {
  readonly name: string
  /** In the words of the database. */
  readonly type: string
  readonly isNullable: boolean
  /** Whether an insert may omit it: it has a default, or is generated. */
  readonly hasDefault: boolean
  /** The default as SQL; null if it has none, or is generated. */
  readonly default: string | null
  readonly limit: CatalogLimit
  /** The texts that its type allows, if the database has a type for an enumeration; otherwise null. */
  readonly members: readonly string[] | null
}

/** The limit of a text or bytes. */
export interface CatalogLimit {
  /** Null for none. */
  readonly length: number | null
  /** Whether a text has exactly `length` characters. */
  readonly isFixed: boolean
}

/** An index; the primary key is one too. */
export interface CatalogIndex {
  /** Null for an expression. */
  readonly columns: readonly (string | null)[]
  readonly isUnique: boolean
  readonly isPartial: boolean
}

/** A foreign key. */
export interface CatalogForeignKey {
  readonly columns: readonly string[]
  readonly table: string
  readonly targets: readonly string[]
}

/** A table or view as the database describes it. */
export interface CatalogTable {
  readonly name: string
  /** A view has columns only. */
  readonly isView: boolean
  readonly columns: readonly CatalogColumn[]
  readonly primary: readonly string[]
  readonly indexes: readonly CatalogIndex[]
  readonly foreignKeys: readonly CatalogForeignKey[]
  /** The conditions of its CHECK constraints, as SQL. */
  readonly checks: readonly string[]
}

/** How one database describes its tables. */
export interface CatalogDialect {
  /** The table or view with this name; null if there is none. */
  readonly readTable: (runner: StatementRunner, name: string) => Promise<CatalogTable | null>
  /** Whether a column of this type holds every value of the kind. */
  readonly fits: (type: string, column: ColumnReference) => boolean
  /** The types of whole numbers, however few. */
  readonly integers: RegExp
  /** About how many rows a table has, without reading them. */
  readonly estimateRows: (runner: StatementRunner, table: string) => Promise<number>
}
