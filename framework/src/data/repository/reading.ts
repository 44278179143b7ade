import type { SelectPlan } from '../sql/plan/select-plan.ts'
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

/** The plan that reads all rows of an entity. */
export function plainPlan({ table, columns }: AnyEntity): SelectPlan {
  return {
    table,
    columns,
    conditions: [],
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
