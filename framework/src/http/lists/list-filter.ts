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

/** Rows whose text contains the value, ignoring the case of ASCII letters. */
export function contains(): ListFilter<'contains', null>
export function contains<const Column extends string>(
  column: Column,
  options?: FilterOptions,
): ListFilter<'contains', Column>
export function contains(column?: string, options?: FilterOptions): ListFilter<'contains'> {
  return filter('contains', column, options)
}

/** Rows whose text starts with the value, ignoring the case of ASCII letters. */
export function startsWith(): ListFilter<'starts-with', null>
export function startsWith<const Column extends string>(
  column: Column,
  options?: FilterOptions,
): ListFilter<'starts-with', Column>
export function startsWith(column?: string, options?: FilterOptions): ListFilter<'starts-with'> {
  return filter('starts-with', column, options)
}

/** Rows that have the value: `?category=Garden`. */
export function equal(): ListFilter<'equal', null>
export function equal<const Column extends string>(
  column: Column,
  options?: FilterOptions,
): ListFilter<'equal', Column>
export function equal(column?: string, options?: FilterOptions): ListFilter<'equal'> {
  return filter('equal', column, options)
}

/** Rows that have one of the values: `?status[]=draft&status[]=live`. */
export function oneOf(): ListFilter<'one-of', null>
export function oneOf<const Column extends string>(
  column: Column,
  options?: FilterOptions,
): ListFilter<'one-of', Column>
export function oneOf(column?: string, options?: FilterOptions): ListFilter<'one-of'> {
  return filter('one-of', column, options)
}

/** Rows between two values, both included, each optional: `?price_min=10&price_max=20`. */
export function range(): ListFilter<'range', null>
export function range<const Column extends string>(column: Column): ListFilter<'range', Column>
export function range(column?: string): ListFilter<'range'> {
  return filter('range', column)
}

/** Rows that have at least the value: `?rating=4` with `rating: atLeast()`. */
export function atLeast(): ListFilter<'at-least', null>
export function atLeast<const Column extends string>(column: Column): ListFilter<'at-least', Column>
export function atLeast(column?: string): ListFilter<'at-least'> {
  return filter('at-least', column)
}

/** Rows that have at most the value. */
export function atMost(): ListFilter<'at-most', null>
export function atMost<const Column extends string>(column: Column): ListFilter<'at-most', Column>
export function atMost(column?: string): ListFilter<'at-most'> {
  return filter('at-most', column)
}

/** Rows that have any value in the column (`1` or `true`), or none (`0` or `false`). */
export function present(): ListFilter<'present', null>
export function present<const Column extends string>(column: Column): ListFilter<'present', Column>
export function present(column?: string): ListFilter<'present'> {
  return filter('present', column)
}

function filter<Kind extends FilterKind>(
  kind: Kind,
  column: string | null = null,
  options: FilterOptions = {},
): ListFilter<Kind> {
  return Object.freeze({ kind, column, options })
}
