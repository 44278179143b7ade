import { invalidArgument } from '../base/errors.ts'
import type {
  GroupOrdering,
  Having,
  Ordering,
  SeekPosition,
  SelectPlan,
} from '../database/sql/plan/select-plan.ts'
import type { Condition } from '../database/sql/plan/condition.ts'
import type { Grouping } from './grouping.ts'
import type { AnyEntity, EntityColumn } from './entity/entity.ts'
import { checkedReading } from './reading.ts'
import type { Reading, RelationRead } from './reading.ts'
import { isDeleted } from './rows/delete-rows.ts'

/** What `extend` adds to a selection. */
export type SelectionParts = Partial<Pick<SelectPlan, 'conditions' | 'orderings'>>

/** What the calls of a selection have collected. */
export class SelectionState {
  conditions: Condition[] = []
  orderings: Ordering[] = []
  /** The same orders, and those by what is computed. */
  groupOrderings: GroupOrdering[] = []
  seek: SeekPosition | null = null
  limit: number | null = null
  offset = 0
  lock: SelectPlan['lock'] = null
  locked: NonNullable<SelectPlan['locked']> | null = null
  /** The columns to show; null for all. */
  columns: readonly EntityColumn[] | null = null
  isDistinct = false
  groups: readonly EntityColumn[] = []
  having: Having[] = []
  relations: RelationRead[] = []
  /** What happens to deleted rows. */
  deleted: 'hidden' | 'shown' | 'only' = 'hidden'

  /** An independent copy. */
  copy(): SelectionState {
    const copy = Object.assign(new SelectionState(), this)
    copy.conditions = [...this.conditions]
    copy.orderings = [...this.orderings]
    copy.groupOrderings = [...this.groupOrderings]
    copy.having = [...this.having]
    copy.relations = [...this.relations]
    return copy
  }

  /** Names of the relations to load, without those that are counted. */
  get loadedRelations(): readonly string[] {
    return this.relations.filter(({ kind }) => kind === 'rows').map(({ relation }) => relation)
  }

  /** Adds parts that were built elsewhere. */
  extend({ conditions = [], orderings = [] }: SelectionParts): void {
    this.conditions.push(...conditions)
    this.orderings.push(...orderings)
    const ordered = orderings.map(({ column, order, nulls }) => ({ by: column, order, nulls }))
    this.groupOrderings.push(...ordered)
  }

  /** The plan for the compiler. */
  plan(entity: AnyEntity): SelectPlan {
    const { orderings, seek, limit, offset, lock, locked, isDistinct } = this
    const conditions = this.#visible(entity)
    const columns = this.columns ?? entity.columns
    const slice = { orderings, seek, limit, offset, lock, locked, isDistinct }
    return { table: entity.table, columns, conditions, ...slice }
  }

  /**
   * What is read.
   * @throws InvalidArgumentException for calls that contradict each other.
   */
  reading(entity: AnyEntity): Reading {
    const isGrouped = this.groups.length > 0 || this.having.length > 0
    if (!isGrouped && this.groupOrderings.length === this.orderings.length) {
      return checkedReading(this.#rows(entity))
    }
    throw invalidArgument(
      `a selection of ${entity.table} with groupBy(), having() or an order by an aggregate has no rows; read it with aggregate()`,
    )
  }

  /** How the rows are grouped, and the rows. */
  grouping(entity: AnyEntity): Grouping & { readonly reading: Reading } {
    const { groups, having, groupOrderings: orderings } = this
    return { groups, having, orderings, reading: this.#rows(entity) }
  }

  #visible({ deletedAt, undeleted }: AnyEntity): readonly Condition[] {
    if (deletedAt === null || this.deleted === 'shown') return this.conditions
    const added = this.deleted === 'hidden' ? undeleted : [isDeleted(deletedAt)]
    return [...this.conditions, ...added]
  }

  #rows(entity: AnyEntity): Reading {
    const columns = this.columns ?? entity.columns
    return { entity, plan: this.plan(entity), columns, relations: this.relations }
  }
}

const lists = new WeakMap<AnyEntity, Map<string, readonly EntityColumn[]>>()

// Names may come from a request, and there are many ways to choose some of them.
const maxLists = 500

/**
 * The columns of these properties, in the order of the entity. The same choice is the same list, for
 * which statements and hydration are prepared once.
 * @throws InvalidArgumentException for an unknown property.
 */
export function columnList(
  entity: AnyEntity,
  properties: readonly string[],
): readonly EntityColumn[] {
  const chosen = new Set(properties.map((property) => entity.column(property)))
  if (chosen.size === entity.columns.length) return entity.columns
  let known = lists.get(entity)
  if (known === undefined) lists.set(entity, (known = new Map()))
  const list = entity.columns.filter((column) => chosen.has(column))
  const id = list.map(({ name }) => name).join('\0')
  const same = known.get(id)
  if (same !== undefined) return same
  if (known.size < maxLists) known.set(id, list)
  return list
}
