import type { StandardSchema } from '../../../base/schema/standard-schema.ts'
import type { ColumnKind } from './column-reference.ts'

/** A row as an object by column name. */
export type ObjectRow = Readonly<Record<string, unknown>>

/** What a column of a statement needs to be read: `integer()`, `decimal()` and the like are such. */
export interface DeclaredColumn<out T = unknown> {
  readonly kind: ColumnKind
  readonly options: DeclaredOptions
  /** Exists in types only. */
  readonly type: T
}

/** Options of a declared column. */
export interface DeclaredOptions {
  /** Name in the result; null for that of the property, as it is or in snake case. */
  readonly name: string | null
  readonly isNullable: boolean
  /** Digits of a decimal: in total, and after the point. */
  readonly precision: number
  readonly scale: number
}

/** The columns of a statement, by the properties that they become. */
export type DeclaredColumns = Readonly<Record<string, DeclaredColumn>>

/** The row that declared columns make. */
export type DeclaredRow<Columns extends DeclaredColumns> = {
  readonly [Property in keyof Columns]: Columns[Property]['type']
}

/** How the rows of a statement are read. */
export interface RowDeclaration {
  /** Null for the values of the driver. */
  readonly columns: DeclaredColumns | null
  /** Checks each row after that. */
  readonly schema: StandardSchema | null
}
