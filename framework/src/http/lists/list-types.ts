import type { AnyEntity } from '../../orm/entity/entity.ts'
import type { ColumnOf, RowOf, TextColumnOf } from '../../orm/entity/row.ts'
import type { Scope } from '../../orm/selection.ts'
import type { CustomFilter, FilterKind, ListFilter } from './list-filter.ts'

type TextKind = 'contains' | 'starts-with'

/**
 * The filters that a list of an entity may have. A function narrows the list if its parameter is `1`,
 * `true` or `on`, as a checkbox sends it.
 */
export type FilterOf<E extends AnyEntity> =
  | ListFilter<TextKind, TextColumnOf<E> | null>
  | ListFilter<Exclude<FilterKind, TextKind>, ColumnOf<E> | null>
  | CustomFilter<E>
  | Scope<E>

/** Filters by parameter. */
export type FiltersOf<E extends AnyEntity> = Readonly<Record<string, FilterOf<E>>>

/** Requires that a filter without a column has the name of a column. */
export type NamedFilters<E extends AnyEntity, Filters> = {
  [Name in keyof Filters]: Filters[Name] extends ListFilter<infer Kind, null>
    ? Name extends (Kind extends TextKind ? TextColumnOf<E> : ColumnOf<E>)
      ? unknown
      : ListFilter<Kind, ColumnOf<E>>
    : unknown
}

/** A column to sort by; with a minus, the other way round. */
export type SortColumn<E extends AnyEntity> = ColumnOf<E> | `-${ColumnOf<E>}`

/**
 * The orders of a list: columns, each in both directions (`?sort=price`, `?sort=-price`), or orders by
 * name (`{ cheapest: 'price', newest: ['-createdAt', 'name'] }`).
 */
export type SortsOf<E extends AnyEntity> =
  | readonly ColumnOf<E>[]
  | Readonly<Record<string, SortColumn<E> | readonly SortColumn<E>[]>>

/** The names of the orders that a request can choose. */
export type SortName<Sorts> = Sorts extends readonly (infer Name extends string)[]
  ? Name | `-${Name}`
  : keyof Sorts & string

type Value<E extends AnyEntity, Name, Column> = NonNullable<
  RowOf<E>[(Column extends string ? Column : Name) & keyof RowOf<E>]
>

/** Both ends of a range; null if the request does not have it. */
export interface RangeValue<T> {
  readonly min: T | null
  readonly max: T | null
}

type FilterValueOf<E extends AnyEntity, Name, Filter> =
  Filter extends ListFilter<infer Kind, infer Column>
    ? Kind extends TextKind
      ? string | null
      : Kind extends 'one-of'
        ? readonly Value<E, Name, Column>[]
        : Kind extends 'range'
          ? RangeValue<Value<E, Name, Column>>
          : Kind extends 'present'
            ? boolean | null
            : Value<E, Name, Column> | null
    : Filter extends CustomFilter<E, infer Own>
      ? Own | null
      : boolean

/** The values of a request by filter: null, or an empty list, for a filter that it does not use. */
export type FilterValues<E extends AnyEntity, Filters> = {
  readonly [Name in keyof Filters]: FilterValueOf<E, Name, Filters[Name]>
}
