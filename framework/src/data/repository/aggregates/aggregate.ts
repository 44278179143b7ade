import { InvalidArgumentException } from '../../../base/errors.ts'
import type { AggregateKind, AggregateTerm } from '../../sql/plan/aggregate.ts'
import type { ColumnKind } from '../../sql/plan/column-reference.ts'
import type { AnyEntity } from '../entity/entity.ts'
import type { ColumnOf, RowOf } from '../entity/row.ts'

/** A value computed from all rows, or from those of each group. */
export class Aggregate<out Kind extends AggregateKind, out Name extends string | null> {
  readonly kind: Kind
  /** The property of the column; null for a count of all rows. */
  readonly column: Name

  constructor(kind: Kind, column: Name) {
    this.kind = kind
    this.column = column
  }
}

/** The number of rows or, with a column, of those where it is not NULL. */
export function count(): Aggregate<'count', null>
export function count<const Name extends string>(column: Name): Aggregate<'count', Name>
export function count(column: string | null = null): Aggregate<'count', string | null> {
  return new Aggregate('count', column)
}

/** The exact sum of a column; null without rows. */
export function sum<const Name extends string>(column: Name): Aggregate<'sum', Name> {
  return new Aggregate('sum', column)
}

/**
 * The average of a column: a number or, of decimals, a text with four digits more. Null without
 * rows.
 */
export function average<const Name extends string>(column: Name): Aggregate<'average', Name> {
  return new Aggregate('average', column)
}

/** The smallest value of a column; null without rows. */
export function minimum<const Name extends string>(column: Name): Aggregate<'minimum', Name> {
  return new Aggregate('minimum', column)
}

/** The largest value of a column; null without rows. */
export function maximum<const Name extends string>(column: Name): Aggregate<'maximum', Name> {
  return new Aggregate('maximum', column)
}

/** The columns of an entity that can be summed; texts are refused when the statement is built. */
export type SummableColumnOf<E extends AnyEntity> = {
  [Name in ColumnOf<E>]: NonNullable<RowOf<E>[Name]> extends number | bigint | string ? Name : never
}[ColumnOf<E>]

/** The columns of an entity that have a smallest and a largest value. */
export type OrderedColumnOf<E extends AnyEntity> = {
  [Name in ColumnOf<E>]: NonNullable<RowOf<E>[Name]> extends number | bigint | string | Date
    ? Name
    : never
}[ColumnOf<E>]

/** What can be computed from the rows of an entity. */
export type AggregateOf<E extends AnyEntity> =
  | Aggregate<'count', ColumnOf<E> | null>
  | Aggregate<'sum' | 'average', SummableColumnOf<E>>
  | Aggregate<'minimum' | 'maximum', OrderedColumnOf<E>>

/** The type of what is computed. */
export type AggregateValue<E extends AnyEntity, A> =
  A extends Aggregate<infer Kind, infer Name>
    ? Kind extends 'count'
      ? number
      : Name extends ColumnOf<E>
        ? ComputedValue<Kind, NonNullable<RowOf<E>[Name]>> | null
        : never
    : never

type ComputedValue<Kind, T> = Kind extends 'minimum' | 'maximum'
  ? T
  : T extends number | bigint | string
    ? Kind extends 'average'
      ? T extends string
        ? string
        : number
      : T
    : never

/** Marks the rows of a selection as groups, which only `aggregate` reads. */
export interface Grouped<out Columns> {
  readonly grouped: Columns
}

/** A row of `aggregate`: the columns of the group, and what was computed, by name. */
export type AggregateRow<E extends AnyEntity, Columns, Choices> = {
  [Name in keyof GroupColumns<Columns> | keyof Choices]: Name extends keyof Choices
    ? AggregateValue<E, Choices[Name]>
    : Name extends keyof GroupColumns<Columns>
      ? GroupColumns<Columns>[Name]
      : never
}

type GroupColumns<Columns> = Columns extends Grouped<infer Own> ? Own : unknown

/**
 * The term of an aggregate.
 * @throws InvalidArgumentException for anything else, an unknown column, or one of a kind that the
 *   databases cannot compute or would compute differently.
 */
export function termOf(call: string, entity: AnyEntity, given: unknown): AggregateTerm {
  if (!(given instanceof Aggregate)) {
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `${call} takes count(), sum('…'), average('…'), minimum('…') or maximum('…'), got ${given === null ? 'null' : typeof given}`,
    )
  }
  const { kind, column: property }: Aggregate<AggregateKind, string | null> = given
  if (property === null) return { kind: 'count', column: null }
  const column = entity.column(property)
  const refused = refusedKinds[kind]
  if (!refused.has(column.kind)) return { kind, column }
  throw new InvalidArgumentException(
    'E_COLUMN',
    `${kind} of ${entity.table}.${property}: it is ${column.kind}, which has no ${kind}`,
  )
}

const unordered: readonly ColumnKind[] = ['boolean', 'json', 'bytes', 'uuid']
const texts: readonly ColumnKind[] = [
  'text',
  'enumeration',
  'date',
  'time',
  'timestamp',
  'exact-timestamp',
]

const refusedKinds: Readonly<Record<AggregateKind, ReadonlySet<ColumnKind>>> = {
  count: new Set(),
  sum: new Set([...unordered, ...texts]),
  average: new Set([...unordered, ...texts]),
  minimum: new Set(unordered),
  maximum: new Set(unordered),
}
