import type { ColumnReference } from '../plan/column-reference.ts'
import type { Statement } from '../plan/statement.ts'
import type { Notation } from './notation.ts'
import type { QuotedColumns } from './quoted-columns.ts'
import type { SchemaDialect } from './schema-dialect.ts'
import type { StatementRunner } from './statement-runner.ts'
import type { ValueDialect } from './value-dialect.ts'

/** Databases the framework speaks to. */
export const Dialects = { SQLite: 'sqlite', Postgres: 'postgres', MariaDB: 'mariadb' } as const
Object.freeze(Dialects)
export type Dialects = (typeof Dialects)[keyof typeof Dialects]

/**
 * Everything in which one database differs from the others. Code outside this folder asks what the
 * database can do, or lets it write a part of a statement; it never asks which one it is.
 */
export interface Dialect extends Notation {
  readonly name: Dialects
  /** Names of columns as `quote` writes them, each made once. */
  readonly columns: QuotedColumns
  readonly values: ValueDialect
  readonly schema: SchemaDialect
  /** Most values that one statement can bind. */
  readonly maxParameters: number

  /** What follows the table in the insert of a row of nothing but defaults. */
  readonly insertDefaults: string
  /** Whether an upsert can say which unique key is meant; otherwise every key of the table is. */
  readonly namesConflict: boolean
  /** What stands between the values of an upsert and its assignments; takes quoted names. */
  readonly onConflict: (columns: string) => string
  /** In the assignments of an upsert, the value that was to be inserted; takes a quoted name. */
  readonly inserted: (column: string) => string
  /** The end of an upsert that leaves a row as it is. */
  readonly keepOnConflict: (kept: KeptRow) => string
  /** Whether an update can give back the rows it changed. */
  readonly returnsUpdated: boolean
  /** Deletes some rows that fulfil a condition, at most `limit`. */
  readonly deleteSome: (some: SomeRows) => Statement
  /** Changes the first rows that nobody else is changing, and gives them back in no certain order. */
  readonly claim: (runner: StatementRunner, claim: RowClaim) => Promise<readonly ClaimedRow[]>

  /** The ends of a SELECT that locks its rows; '' where a transaction locks more than rows anyway. */
  readonly locks: Readonly<Record<'update' | 'share', string>>
  /** The limit that lets an offset stand alone. */
  readonly noLimit: string
  /** One column of an order, with the place of NULL; takes a quoted name. */
  readonly orderNulls: (column: string, order: 'ASC' | 'DESC', nulls: 'FIRST' | 'LAST') => string
  /** A text compared with a pattern, whatever the case of ASCII letters. */
  readonly like: (column: string, place: string) => string
  /** What makes a backslash in a pattern escape. */
  readonly escapeByBackslash: string
  /** The place of a value that is compared with a column, with the cast that keeps it exact. */
  readonly comparand: (place: string, column: ColumnReference) => string

  /** Whether an index serves `(a, b) > (?, ?)` to its last column. */
  readonly seeksByRows: boolean
  /** Whether the planner makes ranges of an index out of conditions joined by OR. */
  readonly splitsAlternatives: boolean
  /** Whether the branches of a UNION ALL are read only as far as the limit needs. */
  readonly mergesUnions: boolean
  /** How the planner is asked for the number of rows it expects; null where it has no answer. */
  readonly estimate: RowEstimate | null

  /** Whether the COMMIT of a failed transaction is answered with a rollback and no error. */
  readonly hidesFailedCommit: boolean
}

/** A row that an upsert found and leaves alone. Names are quoted. */
export interface KeptRow {
  readonly table: string
  /** The first of the columns that tell the row exists, and all of them between commas. */
  readonly first: string
  readonly columns: string
  /** Whether the row is to be given back. */
  readonly isReturned: boolean
}

/** Rows to delete. */
export interface SomeRows {
  /** The name of the table, see `sql.name`. */
  readonly table: unknown
  /** A unique column of it. */
  readonly key: unknown
  readonly condition: Statement
  readonly limit: number
}

/** Rows to claim. Statements name columns without their table. */
export interface RowClaim {
  /** The name of the table, see `sql.name`. */
  readonly table: unknown
  /** A SELECT of the ids to claim, with its order and limit. */
  readonly pick: Statement
  /** The assignments that claim a row. */
  readonly changes: Statement
  /** The columns to give back beside `id`. */
  readonly returning: readonly string[]
}

/** A row that was claimed, by column. */
export type ClaimedRow = Readonly<Record<string, unknown>>

/** How the planner is asked, and how its answer is read. */
export interface RowEstimate {
  /** What is written before the SELECT. */
  readonly explain: string
  /** The number in the first row of the answer, or NaN. */
  readonly read: (row: unknown) => number
}
