import { invalidArgument, InvalidArgumentException } from '../base/errors.ts'
import type { AggregateKind, AggregateTerm } from '../database/sql/plan/select-plan.ts'
import type { ColumnKind } from '../database/sql/plan/column-reference.ts'
import type { AnyEntity, Refused } from './entity/entity.ts'
import type { ColumnOf, HasKind, RowOf, ShapeOf } from './entity/row.ts'
import type { Surface } from '../database/surface.ts'
import { termReader } from '../database/sql/values/aggregate-reader.ts'
import { reader } from '../database/sql/values/column-readers.ts'
import { compileAggregate, termColumns } from '../database/sql/write/compile-aggregate.ts'
import type { GroupedColumn, GroupedPlan } from './grouping.ts'
import { rawRows } from './rows/hydrate-rows.ts'
import type { PlainRow, RawRow } from './rows/hydrate-rows.ts'

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

/** The values of an entity that are numbers, by column. */
export type NumbersOf<E extends AnyEntity> = {
  [Name in ColumnOf<E> as IsNumber<E, Name> extends true ? Name : never]: NonNullable<
    RowOf<E>[Name]
  >
}

type IsNumber<E extends AnyEntity, Name extends ColumnOf<E>> =
  NonNullable<RowOf<E>[Name]> extends number | bigint
    ? HasKind<E, Name, 'json'> extends true
      ? false
      : true
    : NonNullable<RowOf<E>[Name]> extends string
      ? IsDecimal<E, Name>
      : false

// A column whose kind is not known may be one; a foreign key of texts is none.
type IsDecimal<E extends AnyEntity, Name> = Name extends keyof ShapeOf<E>
  ? HasKind<E, Name, NotDecimal> extends true
    ? false
    : true
  : false

type NotDecimal = Exclude<ColumnKind, 'decimal'>

/** The columns of an entity that have a smallest and a largest value. */
export type OrderedColumnOf<E extends AnyEntity> = {
  [Name in ColumnOf<E>]: IsOrdered<E, Name> extends true ? Name : never
}[ColumnOf<E>]

type IsOrdered<E extends AnyEntity, Name extends ColumnOf<E>> =
  NonNullable<RowOf<E>[Name]> extends number | bigint | string | Date
    ? HasKind<E, Name, 'json' | 'uuid'> extends true
      ? false
      : true
    : false

/** An aggregate of whatever column. */
export type AnyAggregate = Aggregate<AggregateKind, string | null>

/** Refuses what cannot be computed from the rows of an entity. */
export type SoundAggregate<E extends AnyEntity, Given> =
  Given extends Aggregate<infer Kind, infer Name extends string>
    ? Name extends ColumnOf<E>
      ? IsComputed<E, Kind, Name> extends true
        ? unknown
        : Refused<`${Name} has no ${Kind}`>
      : Refused<`the entity has no column ${Name}`>
    : unknown

type IsComputed<E extends AnyEntity, Kind, Name extends ColumnOf<E>> = Kind extends 'count'
  ? true
  : Kind extends 'minimum' | 'maximum'
    ? IsOrdered<E, Name>
    : IsNumber<E, Name>

/** The same for several. */
export type SoundAggregates<E extends AnyEntity, Choices> = {
  readonly [Name in keyof Choices]: SoundAggregate<E, Choices[Name]>
}

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
    throw invalidArgument(
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

/**
 * The groups with what was computed.
 * @throws InvalidArgumentException for choices that are not aggregates of the entity.
 */
export async function readAggregates(
  surface: Surface,
  entity: AnyEntity,
  plan: GroupedPlan,
  choices: unknown,
): Promise<PlainRow[]> {
  const { groups } = plan
  const terms = termsOf(entity, groups, choices)
  const query = compileAggregate({ ...plan, terms: [...terms.values()] }, surface.dialect)
  const raws = rawRows(await surface.run(query))
  const readers = fieldReaders(groups, terms, surface)
  return raws.map((raw) => Object.fromEntries(readers.map(({ name, read }) => [name, read(raw)])))
}

function termsOf(
  entity: AnyEntity,
  groups: readonly GroupedColumn[],
  choices: unknown,
): ReadonlyMap<string, AggregateTerm> {
  const entries = typeof choices === 'object' && choices !== null ? Object.entries(choices) : []
  if (entries.length === 0) {
    throw invalidArgument(
      `aggregate of ${entity.table} needs what to compute by name, as in { total: count() }`,
    )
  }
  const taken = groups.find(({ property }) => entries.some(([name]) => name === property))
  if (taken !== undefined) {
    throw invalidArgument(
      `aggregate of ${entity.table}: ${taken.property} is a column of the group; choose another name`,
    )
  }
  return new Map(
    entries.map(([name, given]: readonly [string, unknown]) => [
      name,
      termOf('aggregate', entity, given),
    ]),
  )
}

interface FieldReader {
  readonly name: string
  readonly read: (raw: RawRow) => unknown
}

function fieldReaders(
  groups: readonly GroupedColumn[],
  terms: ReadonlyMap<string, AggregateTerm>,
  { dialect }: Surface,
): readonly FieldReader[] {
  const readers: FieldReader[] = groups.map((column, at) => {
    const read = reader(column, dialect)
    return { name: column.property, read: (raw) => read(raw[at]) }
  })
  let at = groups.length
  for (const [name, term] of terms) {
    const first = at
    const read = termReader(term, dialect)
    readers.push({ name, read: (raw) => read(raw[first], raw[first + 1]) })
    at += termColumns(term)
  }
  return readers
}
