import type { Column } from '../../orm/entity/column.ts'
import type { AnyEntity } from '../../orm/entity/entity.ts'
import type { AnySelection } from '../../orm/selection.ts'

/** What a filter does with its value. */
export type FilterKind =
  | 'contains'
  | 'starts-with'
  | 'equal'
  | 'one-of'
  | 'range'
  | 'at-least'
  | 'at-most'
  | 'present'

/** Limits of what a filter accepts. */
export interface FilterOptions {
  /** The values that it accepts, as they are sent; every other one is a 400. @default any */
  readonly choices?: readonly string[]
  /** Characters of a text. @default 100 */
  readonly maxLength?: number
}

/**
 * A filter of a list. `Column` is its column; null for the one that has the name of the parameter.
 */
export interface ListFilter<
  out Kind extends FilterKind = FilterKind,
  out Column extends string | null = string | null,
> {
  readonly kind: Kind
  readonly column: Column
  readonly options: FilterOptions
}

/** A filter with a value of its own, which a function turns into conditions. */
export interface CustomFilter<E extends AnyEntity, out Value = unknown> {
  readonly kind: 'custom'
  readonly value: Column<Value>
  readonly narrow: (selection: AnySelection<E>, value: unknown) => unknown
  readonly options: FilterOptions
}

/**
 * Declares a filter of a column: `contains('name')`. Without one it is the column that has the name of the parameter.
 */
export interface FilterOfColumn<Kind extends FilterKind> {
  (): ListFilter<Kind, null>
  <const Column extends string>(column: Column, options?: FilterOptions): ListFilter<Kind, Column>
}

/** Rows whose text contains the value, ignoring the case of ASCII letters. */
export const contains: FilterOfColumn<'contains'> = filterOf('contains')

/** Rows whose text starts with the value, ignoring the case of ASCII letters. */
export const startsWith: FilterOfColumn<'starts-with'> = filterOf('starts-with')

/** Rows that have the value: `?category=Garden`. */
export const equal: FilterOfColumn<'equal'> = filterOf('equal')

/** Rows that have one of the values: `?status[]=draft&status[]=live`. */
export const oneOf: FilterOfColumn<'one-of'> = filterOf('one-of')

/** Rows between two values, both included, each optional: `?price_min=10&price_max=20`. */
export const range: FilterOfColumn<'range'> = filterOf('range')

/** Rows that have at least the value: `?rating=4` with `rating: atLeast()`. */
export const atLeast: FilterOfColumn<'at-least'> = filterOf('at-least')

/** Rows that have at most the value. */
export const atMost: FilterOfColumn<'at-most'> = filterOf('at-most')

/** Rows that have any value in the column (`1` or `true`), or none (`0` or `false`). */
export const present: FilterOfColumn<'present'> = filterOf('present')

/**
 * Rows of the entity as a function narrows them by a value, which a kind of column reads: `custom(Patients,
 * integer(), (patients, days) => …)`. Without a value it is not called.
 */
export function custom<E extends AnyEntity, Value>(
  entity: E,
  value: Column<Value>,
  narrow: (selection: AnySelection<E>, value: NoInfer<Value>) => unknown,
  options?: FilterOptions,
): CustomFilter<E, Value>
export function custom<E extends AnyEntity>(
  _entity: E,
  value: Column<unknown>,
  narrow: (selection: AnySelection<E>, value: unknown) => unknown,
  options: FilterOptions = {},
): CustomFilter<E> {
  return Object.freeze({ kind: 'custom', value, narrow, options })
}

function filterOf<Kind extends FilterKind>(kind: Kind): FilterOfColumn<Kind> {
  function declare(): ListFilter<Kind, null>
  function declare<const Column extends string>(
    column: Column,
    options?: FilterOptions,
  ): ListFilter<Kind, Column>
  function declare(column: string | null = null, options: FilterOptions = {}): ListFilter<Kind> {
    return Object.freeze({ kind, column, options })
  }
  return declare
}
