import type {
  GroupOrdering,
  Having,
  Ordering,
  SeekPosition,
  SelectPlan,
} from '../database/sql/plan/select-plan.ts'
import type { Condition } from '../database/sql/plan/condition.ts'
import type { GroupedColumn } from './grouping.ts'
import type { AnyEntity, EntityColumn } from './entity/entity.ts'
import type { RelationRead } from './reading.ts'

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
  groups: readonly GroupedColumn[] = []
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
