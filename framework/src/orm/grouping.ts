import { invalidArgument } from '../base/errors.ts'
import type { InvalidArgumentException } from '../base/errors.ts'
import type {
  AggregatePlan,
  GroupJoin,
  GroupOrdering,
  Having,
  SelectPlan,
} from '../database/sql/plan/select-plan.ts'
import { Nulls, Orders } from '../database/sql/plan/operators.ts'
import type { AnyEntity, EntityColumn } from './entity/entity.ts'
import type { Reading } from './reading.ts'
import { relationLink } from './relations/relation-link.ts'

/** A column to group by; that of a related row has its path as its property. */
export interface GroupedColumn extends EntityColumn {
  readonly join?: GroupJoin
}

/** The plan of groups, without what is computed for each. */
export type GroupedPlan = Omit<AggregatePlan, 'terms' | 'groups'> & Pick<Grouping, 'groups'>

/** How the rows of a selection are grouped. */
export interface Grouping {
  readonly groups: readonly GroupedColumn[]
  readonly having: readonly Having[]
  /** Every order of the selection, by columns and by what is computed. */
  readonly orderings: readonly GroupOrdering[]
}

/**
 * The columns to group by, in the given order.
 * @throws InvalidArgumentException for none, an unknown one, or JSON.
 */
export function groupColumns(
  entity: AnyEntity,
  properties: readonly string[],
): readonly GroupedColumn[] {
  if (properties.length === 0) throw invalidGroups(entity, 'groupBy needs at least one column')
  const columns = [...new Set(properties.map((property) => groupColumn(entity, property)))]
  const document = columns.find(({ kind }) => kind === 'json')
  if (document === undefined) return columns
  throw invalidGroups(entity, `databases compare JSON differently; leave ${document.property} out`)
}

const relatedColumns = new WeakMap<AnyEntity, Map<string, GroupedColumn>>()

/**
 * The column of a property, or that of a path such as `author.name`: always the same one, by which an order
 * knows its group.
 * @throws InvalidArgumentException for an unknown column or relation, or a relation to other than one row.
 */
export function groupColumn(entity: AnyEntity, path: string): GroupedColumn {
  const dot = path.indexOf('.')
  if (dot === -1) return entity.column(path)
  let known = relatedColumns.get(entity)
  if (known === undefined) relatedColumns.set(entity, (known = new Map()))
  let column = known.get(path)
  if (column === undefined) known.set(path, (column = relatedColumn(entity, path, dot)))
  return column
}

function relatedColumn(entity: AnyEntity, path: string, dot: number): GroupedColumn {
  const name = path.slice(0, dot)
  if (entity.relation(name).kind !== 'belongs-to') {
    throw invalidGroups(entity, `${path} may be of several rows; group by a column of a belongsTo`)
  }
  const { target, from, owner } = relationLink(entity, name)
  const column = target.column(path.slice(dot + 1))
  const join = { from, table: target.table, owner, column, conditions: target.undeleted }
  return { ...column, property: path, isKey: false, isNullable: true, join }
}

/**
 * The plan of groups, in an order that is the same on every database.
 * @throws InvalidArgumentException for a selection with more than conditions, groups, their order
 *   and a limit.
 */
export function groupPlan(
  { entity, plan, columns, relations }: Reading,
  { groups, having, orderings }: Grouping,
): GroupedPlan {
  const { table, conditions, limit, offset } = plan
  const isOne = groups.length === 0
  const ignored = Object.entries({
    only: columns !== entity.columns,
    distinct: plan.isDistinct === true,
    with: relations.length > 0,
    seek: plan.seek !== null,
    lock: plan.lock !== null,
    order: isOne && orderings.length > 0,
    limit: isOne && limit !== null,
    offset: isOne && offset > 0,
  }).filter(([, isPresent]) => isPresent)
  if (ignored.length > 0) {
    const calls = ignored.map(([name]) => `${name}()`).join(', ')
    throw invalidGroups(entity, `the selection's ${calls} would be ignored, so remove it`)
  }
  const order = ordered(entity, groups, orderings)
  return { table, conditions, groups, having, orderings: order, limit, offset }
}

/**
 * All rows of a plan as one group, whatever its order and limit.
 * @throws InvalidArgumentException for distinct rows.
 */
export function plainGroups({ table, conditions, isDistinct }: SelectPlan): GroupedPlan {
  if (isDistinct === true) {
    throw invalidArgument(
      `distinct() of ${table}: only count() counts equal rows once; use groupBy()`,
    )
  }
  return { table, conditions, groups: [], having: [], orderings: [], limit: null, offset: 0 }
}

function ordered(
  entity: AnyEntity,
  groups: readonly GroupedColumn[],
  orderings: readonly GroupOrdering[],
): readonly GroupOrdering[] {
  const rest = new Set<unknown>(groups)
  for (const { by } of orderings) {
    if ('name' in by && !rest.has(by) && !groups.some((column) => column === by)) {
      throw invalidGroups(
        entity,
        `they are ordered by ${'property' in by ? String(by.property) : by.name}, which is not part of groupBy()`,
      )
    }
    rest.delete(by)
  }
  const others = groups.filter((column) => rest.has(column))
  return [
    ...orderings,
    ...others.map((by) => ({ by, order: Orders.Asc, nulls: by.isNullable ? Nulls.First : null })),
  ]
}

function invalidGroups({ table }: AnyEntity, reason: string): InvalidArgumentException {
  return invalidArgument(`groups of ${table}: ${reason}`)
}
