import type { Operators } from '../../database/sql/plan/operators.ts'
import type { AnyEntity } from './entity.ts'
import type { Refused } from './refused.ts'
import type { ColumnOf, HasKind, RowOf } from './row.ts'

/** The operators of a filter, and the shorter signs of some. */
export type FilterOperator = Operators | '=' | '!=' | '>' | '>=' | '<' | '<='

/** The arguments of a condition on a value of type `T`, after its operator. */
export type FilterValue<T, Operator extends FilterOperator> = Operator extends 'between'
  ? [range: readonly [NonNullable<T>, NonNullable<T>]]
  : Operator extends 'in'
    ? [values: readonly NonNullable<T>[]]
    : Operator extends 'is-null' | 'is-not-null'
      ? []
      : Operator extends 'is-true' | 'is-false'
        ? T extends boolean | null
          ? []
          : [never]
        : Operator extends 'equal' | 'unequal' | '=' | '!='
          ? [value: T]
          : [value: NonNullable<T>]

/** The arguments of a filter, after its column and operator. */
export type ColumnFilterValue<
  E extends AnyEntity,
  Name extends ColumnOf<E>,
  Operator extends FilterOperator,
> =
  HasKind<E, Name, 'json'> extends true
    ? Operator extends 'is-null' | 'is-not-null'
      ? []
      : [value: Refused<'databases compare JSON differently; use where(sql`…`)'>]
    : FilterValue<RowOf<E>[Name], Operator>

/** The columns of an entity that are never NULL. */
export type ExactColumnOf<E extends AnyEntity> = ExactNames<RowOf<E>> & string

type ExactNames<Row> = { [Name in keyof Row]: null extends Row[Name] ? never : Name }[keyof Row]
