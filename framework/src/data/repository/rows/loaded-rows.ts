import type { AnyEntity } from '../entity/entity.ts'
import type { PlainRow } from './hydrate-rows.ts'
import type { LoadedRow, RowOf } from '../entity/row.ts'

// Hydration made the rows from the very columns and relations that their type is made from, which the
// compiler cannot follow: here it is told.

/** Rows under their type. */
export function loadedRows<E extends AnyEntity, Loaded extends string>(
  _entity: E,
  rows: PlainRow[],
): LoadedRow<E, Loaded>[] {
  return rows as LoadedRow<E, Loaded>[]
}

/** One row under its type. */
export function loadedRow<E extends AnyEntity>(_entity: E, row: PlainRow): RowOf<E> {
  return row as RowOf<E>
}
