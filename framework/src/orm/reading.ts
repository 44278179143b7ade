import { invalidArgument, InvalidArgumentException } from '../base/errors.ts'
import type { Surface } from '../database/surface.ts'
import type { SelectPlan } from '../database/sql/plan/select-plan.ts'
import type { Condition } from '../database/sql/plan/condition.ts'
import type { AnyEntity, EntityColumn } from './entity/entity.ts'

/** What a selection reads: its rows, the properties they show, and their relations. */
export interface Reading {
  readonly entity: AnyEntity
  readonly plan: SelectPlan
  /** The columns that the rows show. More may be read, for relations and cursors. */
  readonly columns: readonly EntityColumn[]
  readonly relations: readonly RelationRead[]
}

/** One relation to load with the rows, or to count. */
export interface RelationRead {
  readonly relation: string
  /** The property that receives it. */
  readonly property: string
  readonly kind: 'rows' | 'count'
  /** How the related rows are narrowed; null for all of them. */
  readonly reading: Reading | null
}

/** The plan that reads rows of an entity, by default all that are not deleted. */
export function plainPlan(
  {
    table,
    columns,
    undeleted,
  }: Pick<SelectPlan, 'table' | 'columns'> & Pick<AnyEntity, 'undeleted'>,
  conditions: readonly Condition[] = undeleted,
): SelectPlan {
  return {
    table,
    columns,
    conditions,
    orderings: [],
    seek: null,
    limit: null,
    offset: 0,
    lock: null,
  }
}

/** All rows of an entity, without relations. */
export function plainReading(entity: AnyEntity): Reading {
  return { entity, plan: plainPlan(entity), columns: entity.columns, relations: [] }
}

/**
 * The reading, if its parts fit together.
 * @throws InvalidArgumentException for distinct rows that would not be distinct.
 */
export function checkedReading(reading: Reading): Reading {
  if (reading.plan.isDistinct === true) refuseIndistinct(reading)
  return reading
}

function refuseIndistinct({ entity, plan, columns, relations }: Reading): void {
  if (columns === entity.columns)
    throw indistinct(entity, 'whole rows all differ, so choose columns with only()')
  if (plan.lock !== null) throw indistinct(entity, 'lock() is for whole rows')
  if (relations.length > 0) throw indistinct(entity, 'relations are loaded with whole rows')
  const hidden = plan.orderings.find(({ column }) => !plan.columns.includes(column))
  if (hidden !== undefined) {
    throw indistinct(entity, `it is ordered by ${hidden.column.name}, which only() leaves out`)
  }
  const document = columns.find(({ kind }) => kind === 'json')
  if (document !== undefined) {
    throw indistinct(entity, `databases compare JSON differently; leave ${document.property} out`)
  }
}

function indistinct({ table }: AnyEntity, reason: string): InvalidArgumentException {
  return invalidArgument(`distinct() of ${table}: ${reason}`)
}

/**
 * Refuses a lock outside a transaction, which would end with the statement and hold nothing.
 * @throws InvalidArgumentException
 */
export function refuseLoneLock({ transactional }: Surface, { entity, plan }: Reading): void {
  if (transactional || plan.lock === null) return
  throw invalidArgument(
    `lock() of ${entity.table} needs a transaction, at whose end it is released: database.transaction((transaction) => ${entity.table}.using(transaction)…)`,
  )
}

/**
 * The conditions of a selection that has nothing else.
 * @throws InvalidArgumentException for one with, say, an order, which the call would ignore.
 */
export function conditionsOnly(call: string, reading: Reading): readonly Condition[] {
  const { conditions, orderings, limit, offset, seek, lock } = reading.plan
  const ignored = Object.entries({
    only: reading.columns !== reading.entity.columns,
    distinct: reading.plan.isDistinct === true,
    order: orderings.length > 0,
    limit: limit !== null,
    offset: offset > 0,
    seek: seek !== null,
    lock: lock !== null,
    with: reading.relations.some(({ kind }) => kind === 'rows'),
    withCount: reading.relations.some(({ kind }) => kind === 'count'),
  })
  const present = ignored.filter(([, isPresent]) => isPresent).map(([name]) => `${name}()`)
  if (present.length === 0) return conditions
  throw invalidArgument(
    `${call} takes conditions alone; the selection's ${present.join(', ')} would be ignored, so remove it`,
  )
}

/**
 * A relation to load, narrowed or not.
 * @throws InvalidArgumentException for an unknown relation, or one that cannot be narrowed like that.
 */
export function rowsRead(entity: AnyEntity, name: string, reading: Reading | null): RelationRead {
  const { kind, isNullable } = entity.relation(name)
  if (reading !== null) {
    const { plan } = reading
    if (plan.seek !== null || plan.lock !== null) {
      throw invalidRead(
        entity,
        name,
        `${plan.seek === null ? 'lock' : 'seek'}() is for rows that are read first, not for those of a relation`,
      )
    }
    if (kind === 'belongs-to' && !isNullable && isSmaller(reading)) {
      throw invalidRead(
        entity,
        name,
        `every row has one, so it cannot be narrowed; use has('${name}', …) to select rows by it, or declare it nullable()`,
      )
    }
  }
  return { relation: name, property: name, kind: 'rows', reading }
}

/**
 * A relation to count, narrowed or not.
 * @throws InvalidArgumentException for an unknown relation, more than conditions, or a taken name.
 */
export function countRead(entity: AnyEntity, name: string, reading: Reading | null): RelationRead {
  entity.relation(name)
  const property = `${name}Count`
  if (entity.relations.has(property) || entity.columns.some((own) => own.property === property)) {
    throw invalidRead(entity, name, `its count would replace ${property}, which the entity has`)
  }
  if (reading !== null) conditionsOnly(`a count of ${entity.table}.${name}`, reading)
  return { relation: name, property, kind: 'count', reading }
}

/**
 * Adds what is to be read of relations. The same twice is once.
 * @throws InvalidArgumentException for one relation narrowed in two ways.
 */
export function addRead(entity: AnyEntity, reads: RelationRead[], added: RelationRead): void {
  const known = reads.find(({ property }) => property === added.property)
  if (known === undefined) reads.push(added)
  else if (known.reading !== null || added.reading !== null) {
    throw invalidRead(entity, added.relation, 'it is already read, and a row has only one of each')
  }
}

// That deleted rows are hidden does not count: a row without its own is an error when it is read.
function isSmaller({ entity, plan: { conditions, limit, offset } }: Reading): boolean {
  const isNarrowed = conditions.some((condition) => !entity.undeleted.includes(condition))
  return isNarrowed || limit !== null || offset > 0
}

function invalidRead({ table }: AnyEntity, name: string, reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_RELATION', `${table}.${name}: ${reason}`)
}
