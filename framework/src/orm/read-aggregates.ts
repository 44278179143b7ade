import { invalidArgument } from '../base/errors.ts'
import type { Surface } from '../database/surface.ts'
import type { AggregatePlan, AggregateTerm } from '../database/sql/plan/select-plan.ts'
import { termReader } from '../database/sql/values/aggregate-reader.ts'
import { reader } from '../database/sql/values/column-readers.ts'
import { compileAggregate, termColumns } from '../database/sql/write/compile-aggregate.ts'
import type { AnyEntity, EntityColumn } from './entity/entity.ts'
import { rawRows } from './rows/hydrate-rows.ts'
import type { PlainRow, RawRow } from './rows/hydrate-rows.ts'
import { termOf } from './aggregate.ts'

/** Groups, and what to compute for each by name. */
interface AggregateReading {
  readonly entity: AnyEntity
  readonly groups: readonly EntityColumn[]
  readonly plan: Omit<AggregatePlan, 'terms'>
  readonly choices: unknown
}

/**
 * The groups with what was computed.
 * @throws InvalidArgumentException for choices that are not aggregates of the entity.
 */
export async function readAggregates(
  surface: Surface,
  { entity, groups, plan, choices }: AggregateReading,
): Promise<PlainRow[]> {
  const terms = termsOf(entity, groups, choices)
  const query = compileAggregate({ ...plan, terms: [...terms.values()] }, surface.dialect)
  const raws = rawRows(await surface.run(query))
  const readers = fieldReaders(groups, terms, surface)
  return raws.map((raw) => Object.fromEntries(readers.map(({ name, read }) => [name, read(raw)])))
}

function termsOf(
  entity: AnyEntity,
  groups: readonly EntityColumn[],
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
  groups: readonly EntityColumn[],
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
