import type { AnyEntity } from '../entity/entity.ts'
import type { PlainRow } from './hydrate-rows.ts'
import type { LoadedRow, RowOf } from '../entity/row.ts'

/**
 * Rows under their type. Hydration made them from the very columns and relations that the type is
 * made from, which the compiler cannot follow: here it is told.
 */
export function loadedRows<E extends AnyEntity, Loaded extends string>(
  entity: E,
  rows: PlainRow[],
): LoadedRow<E, Loaded>[]
export function loadedRows(_: AnyEntity, rows: unknown[]): unknown[] {
  return rows
}

/** One row under its type, for the same reason. */
export function loadedRow<E extends AnyEntity>(entity: E, row: PlainRow): RowOf<E>
export function loadedRow(_: AnyEntity, row: unknown): unknown {
  return row
}
