import type { AggregateRow, AggregateValue } from '../aggregate.ts'
import type { AnyEntity } from '../entity/entity.ts'
import type { RowOf, SelectedRow } from '../entity/row.ts'
import type { PlainRow } from './hydrate-rows.ts'

// Hydration builds the rows from the same columns and relations as their type, which the compiler
// cannot see. Hence the casts.

/** Rows of a selection with their type. */
export function selectedRows<Loaded, Columns>(
  rows: readonly PlainRow[],
): SelectedRow<Loaded, Columns>[] {
  return rows as SelectedRow<Loaded, Columns>[]
}

/** Rows with their type. */
export function loadedRows<E extends AnyEntity>(_entity: E, rows: PlainRow[]): RowOf<E>[] {
  return rows as RowOf<E>[]
}

/** One row with its type. */
export function loadedRow<E extends AnyEntity>(_entity: E, row: PlainRow): RowOf<E> {
  return row as RowOf<E>
}

/** Groups with their type. */
export function aggregateRows<E extends AnyEntity, Columns, Choices>(
  rows: PlainRow[],
): AggregateRow<E, Columns, Choices>[] {
  return rows as AggregateRow<E, Columns, Choices>[]
}

/** A computed value with its type. */
export function aggregateValue<E extends AnyEntity, A>(value: unknown): AggregateValue<E, A> {
  return value as AggregateValue<E, A>
}
