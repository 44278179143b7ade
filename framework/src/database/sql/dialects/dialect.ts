import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'
import type { RowLock } from '../plan/select-plan.ts'
import type { Statement } from '../plan/statement.ts'
import type { Notation, QuotedColumns, Texts } from './notation.ts'
import type { SchemaDialect } from './schema-dialect.ts'
import type { StatementRunner } from './statement-runner.ts'
import type { SumDialect } from './sum-dialect.ts'
import { sql } from '../plan/statement.ts'

/** The supported databases. */
export const Dialects = { SQLite: 'sqlite', Postgres: 'postgres', MariaDB: 'mariadb' } as const
Object.freeze(Dialects)
export type Dialects = (typeof Dialects)[keyof typeof Dialects]

/**
 * Everything that differs between databases. Code outside this folder asks what the database can
 * do, or lets it write a part of a statement; it never asks which one it is.
 */
export interface Dialect extends Notation {
  readonly name: Dialects
  /** Its name in OpenTelemetry, `db.system.name`. */
  readonly system: string
  /** Quoted names of columns, cached. */
  readonly columns: QuotedColumns
  /** Texts of statements and conditions that were written before. */
  readonly texts: Texts
  readonly values: ValueDialect
  readonly schema: SchemaDialect
  /** Maximum number of values that one statement can bind. */
  readonly maxParameters: number

  /** Follows the table name in the insert of a row with only defaults. */
  readonly insertDefaults: string
  /** Whether an upsert can name the unique key; otherwise every unique key of the table counts. */
  readonly namesConflict: boolean
  /** The clause between the values of an upsert and its assignments; takes quoted names. */
  readonly onConflict: (columns: string) => string
  /** In the assignments of an upsert, the value of the new row; takes a quoted name. */
  readonly inserted: (column: string) => string
  /** The end of an upsert that leaves an existing row unchanged. */
  readonly keepOnConflict: (kept: KeptRow) => string
  /** Whether an update can return the changed rows. */
  readonly returnsUpdated: boolean
  /** Deletes at most `limit` rows that match a condition. */
  readonly deleteSome: (some: SomeRows) => Statement
  /** Updates the first rows that are not locked, and returns them in no particular order. */
  readonly claim: (runner: StatementRunner, claim: RowClaim) => Promise<readonly ClaimedRow[]>

  /**
   * The ends of a locking SELECT, and what follows to skip locked rows or to fail at them; '' on a
   * database whose transactions lock more than rows.
   */
  readonly locks: Readonly<Record<RowLock | 'skip' | 'fail', string>>
  readonly sums: SumDialect
  /** The LIMIT clause for an offset without a limit. */
  readonly noLimit: string
  /** One column of an order with the position of NULL; takes a quoted name. */
  readonly orderNulls: (column: string, order: 'ASC' | 'DESC', nulls: 'FIRST' | 'LAST') => string
  /**
   * The expression that a column is ordered by; takes its quoted name. An enumeration is ordered as
   * text, also if the database has a type for it that follows the declaration of its members.
   */
  readonly orderedBy: (name: string, column: ColumnReference) => string
  /** The same for comparisons with `<` and `>`. */
  readonly rankedBy: (name: string, column: ColumnReference) => string
  /** Compares a text with a pattern, ignoring the case of ASCII letters. */
  readonly like: (column: string, place: string) => string
  /** The clause that makes a backslash the escape character. */
  readonly escapeByBackslash: string
  /**
   * The placeholder of a value that is compared with a column, with the cast that keeps it exact.
   */
  readonly comparand: (place: string, column: ColumnReference) => string

  /** The longest list that a column is compared with value by value; a longer one is `listed`. */
  readonly maxPlaces: number
  /**
   * How a column is compared with any number of values that are bound as one text; null for a kind for
   * which that would not be exact.
   */
  readonly listed: (column: ColumnReference) => ListedValues | null

  /**
   * The sum of a numeric column and a value, exact for integers and decimals; takes a quoted name and
   * the placeholder of a comparand.
   */
  readonly plus: (name: string, place: string, column: ColumnReference) => string

  /** Whether `(a, b) > (?, ?)` uses an index on both columns. */
  readonly seeksByRows: boolean
  /** Whether the planner turns conditions joined by OR into index ranges. */
  readonly splitsAlternatives: boolean
  /** Whether the branches of a UNION ALL are read only as far as the limit requires. */
  readonly mergesUnions: boolean
  /** Writes a SELECT of columns with its own order and limit as a branch of a UNION ALL. */
  readonly unionBranch: (select: string, columns: string) => string
  /** Whether a subquery in FROM can refer to the tables before it, by LATERAL. */
  readonly hasLateral: boolean
  /** How to ask the planner for the expected number of rows; null if it cannot tell. */
  readonly estimate: RowEstimate | null
  /**
   * How the database would run a SELECT whose values nobody knows, as lines of text. The statement is
   * only planned, never run. Call it in a read-only transaction.
   */
  readonly explain: (runner: StatementRunner, select: string) => Promise<readonly string[]>
  /**
   * Statements for a transaction in which a plan uses an index wherever one can serve it, however few
   * rows the table has.
   */
  readonly preferIndexes: readonly string[]
  /** Whether a plan, as `explain` returns it, reads every row of a table. */
  readonly readsWholeTable: (plan: readonly string[], table: string) => boolean

  /** Whether COMMIT of a failed transaction rolls back without an error. */
  readonly hidesFailedCommit: boolean
}

/** Which values one database supports, and their format. */
export interface ValueDialect {
  /** How to read the raw values of each kind of column. */
  readonly readers: Readonly<Record<ColumnKind, ColumnReader>>
  /**
   * Rejects a decimal column that the database cannot store exactly.
   * @throws InvalidArgumentException (E_ENTITY).
   */
  readonly refuseInexact: (column: ColumnReference) => void
  /** The parameter for a decimal whose digits fit its column. */
  readonly decimal: (digits: string) => string | number
  /** The parameter for a decimal in a cursor, or undefined for one that no row can have. */
  readonly cursorDecimal: (text: string, column: ColumnReference) => string | number | undefined
  /** The parameter for a non-finite float in a cursor, or undefined if no row can have it. */
  readonly cursorNonFinite: (word: NonFinite) => string | number | undefined
  /** Whether a timestamp in a cursor may have a time zone. */
  readonly comparesZones: boolean
}

/** Converts a raw value other than NULL for a column; undefined if it cannot. */
export type ColumnReader = (raw: unknown, column: ColumnReference) => unknown

/** A non-finite float, as text in a cursor. */
export type NonFinite = 'NaN' | 'Infinity' | '-Infinity'

/** A list of values as one text. */
export interface ListedValues {
  /** The text of values as they would be bound. */
  readonly text: (values: readonly unknown[]) => string
  /** That a column has one of them; takes its quoted name and the placeholder of the text. */
  readonly condition: (name: string, place: string) => string
}

/** An existing row that an upsert leaves alone. Names are quoted. */
export interface KeptRow {
  readonly table: string
  /** The first of the conflict columns, and all of them, comma-separated. */
  readonly first: string
  readonly columns: string
  /** Whether to return the row. */
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

/** Rows to claim. The statements use unqualified column names. */
export interface RowClaim {
  /** The name of the table, see `sql.name`. */
  readonly table: unknown
  /** A SELECT of the ids to claim, with order and limit. */
  readonly pick: Statement
  /** The assignments that claim a row. */
  readonly changes: Statement
  /** The columns to return besides `id`. */
  readonly returning: readonly string[]
}

/** A claimed row, by column. */
export type ClaimedRow = Readonly<Record<string, unknown>>

/** How to ask the planner for an estimate and read its result. */
export interface RowEstimate {
  /** Precedes the SELECT. */
  readonly explain: string
  /** The number in the first row of the result, or NaN. */
  readonly read: (row: unknown) => number
}

type Clauses =
  | 'insertDefaults'
  | 'namesConflict'
  | 'onConflict'
  | 'inserted'
  | 'keepOnConflict'
  | 'returnsUpdated'
  | 'deleteSome'
  | 'orderNulls'
  | 'plus'
  | 'orderedBy'
  | 'rankedBy'

/** Clauses shared by several databases. */
export const standardClauses: Pick<Dialect, Clauses> = {
  insertDefaults: ' DEFAULT VALUES',
  namesConflict: true,
  onConflict,
  inserted: (column) => `excluded.${column}`,
  keepOnConflict,
  returnsUpdated: true,
  // The condition is repeated: a row that no longer matches when it is deleted must stay.
  deleteSome: ({ table, key, condition, limit }) => {
    const rows = sql`FROM ${table} WHERE ${condition}`
    return sql`DELETE ${rows} AND ${key} IN (SELECT ${key} ${rows} LIMIT ${limit})`
  },
  orderNulls: (column, order, nulls) => `${column} ${order} NULLS ${nulls}`,
  plus: (name, place) => `${name} + ${place}`,
  orderedBy: (name) => name,
  rankedBy: (name) => name,
}

function onConflict(columns: string): string {
  return `ON CONFLICT (${columns}) DO UPDATE SET`
}

function keepOnConflict({ table, first, columns, isReturned }: KeptRow): string {
  if (!isReturned) return `ON CONFLICT (${columns}) DO NOTHING`
  // DO NOTHING returns no row; an assignment that changes nothing does.
  return `${onConflict(columns)} ${first} = ${table}.${first}`
}

/** Bound texts and whole numbers as a JSON list. */
export function jsonList(values: readonly unknown[]): string {
  const parts = values.map((value) =>
    typeof value === 'bigint' ? String(value) : JSON.stringify(value),
  )
  return `[${parts.join(',')}]`
}
