import type { Operators } from '../../sql/plan/operators.ts'
import type { AnyEntity } from './entity.ts'
import type { ColumnOf, RowOf } from './row.ts'

/** The arguments of a filter, after its column and operator. */
export type FilterValue<T, Operator extends Operators> = Operator extends 'between'
  ? [range: readonly [NonNullable<T>, NonNullable<T>]]
  : Operator extends 'in'
    ? [values: readonly NonNullable<T>[]]
    : Operator extends 'is-null' | 'is-not-null'
      ? []
      : Operator extends 'is-true' | 'is-false'
        ? T extends boolean | null
          ? []
          : [never]
        : Operator extends 'equal' | 'unequal'
          ? [value: T]
          : [value: NonNullable<T>]

/** The columns of an entity that are never NULL. */
export type ExactColumnOf<E extends AnyEntity> = {
  [Name in ColumnOf<E>]: null extends RowOf<E>[Name] ? never : Name
}[ColumnOf<E>]

/** The arguments of a condition on groups, after its aggregate and operator. */
export type HavingValue<T, Operator extends Operators> = Operator extends 'between'
  ? [range: readonly [NonNullable<T>, NonNullable<T>]]
  : Operator extends 'in'
    ? [values: readonly NonNullable<T>[]]
    : Operator extends 'is-null' | 'is-not-null'
      ? []
      : Operator extends 'is-true' | 'is-false'
        ? [never]
        : Operator extends 'equal' | 'unequal'
          ? [value: T]
          : [value: NonNullable<T>]
