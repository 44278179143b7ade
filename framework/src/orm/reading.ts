import { InvalidArgumentException } from '../base/errors.ts'
import type { Surface } from '../database/surface.ts'
import type { SelectPlan } from '../database/sql/plan/select-plan.ts'
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

/** The plan that reads all rows of an entity that are not deleted. */
export function plainPlan({ table, columns, undeleted }: AnyEntity): SelectPlan {
  return {
    table,
    columns,
    conditions: undeleted,
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

/**
 * Refuses a lock outside a transaction, which would end with the statement and hold nothing.
 * @throws InvalidArgumentException
 */
export function refuseLoneLock({ transactional }: Surface, { entity, plan }: Reading): void {
  if (transactional || plan.lock === null) return
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `lock() of ${entity.table} needs a transaction, at whose end it is released: database.transaction((transaction) => ${entity.table}.using(transaction)…)`,
  )
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
  return new InvalidArgumentException('E_INVALID_ARGUMENT', `distinct() of ${table}: ${reason}`)
}
