import type { AnyEntity } from '../entity/entity.ts'
import type { PlainRow } from './hydrate-rows.ts'
import type { LoadedRow, RowOf } from '../entity/row.ts'

// Hydration builds the rows from the same columns and relations as their type, which the compiler
// cannot see. Hence the casts.

/** Rows with their type. */
export function loadedRows<E extends AnyEntity, Loaded extends string>(
  _entity: E,
  rows: PlainRow[],
): LoadedRow<E, Loaded>[] {
  return rows as LoadedRow<E, Loaded>[]
}

/** One row with its type. */
export function loadedRow<E extends AnyEntity>(_entity: E, row: PlainRow): RowOf<E> {
  return row as RowOf<E>
}
