import { InvalidArgumentException } from '../../base/errors.ts'
import type { ColumnKind } from '../../database/sql/plan/column-reference.ts'
import type { Condition, Related } from '../../database/sql/plan/condition.ts'
import { foreignProperty } from '../entity/entity.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'
import type { Bridge } from './relation.ts'

/** How rows of one entity find the related rows of another. */
export interface RelationLink {
  readonly target: AnyEntity
  /** The column of the rows whose values are looked up. */
  readonly from: EntityColumn
  /**
   * The column that holds these values: one of the target or, with a bridge, the source of the
   * bridge, which has the kind of this column.
   */
  readonly owner: EntityColumn
  /** The join table of a many-to-many relation. */
  readonly bridge: Bridge | null
}

/**
 * The link of a relation.
 * @throws InvalidArgumentException when a column is missing or differs in kind from the key.
 */
export function relationLink(entity: AnyEntity, name: string): RelationLink {
  const relation = entity.relation(name)
  const target = entity.target(name)
  const { bridge } = relation
  if (bridge !== null) return { target, from: entity.key, owner: entity.key, bridge }
  if (relation.kind === 'belongs-to') {
    const from = entity.column(foreignProperty(name, relation))
    return columnLink(entity, name, { target, from, owner: target.key })
  }
  const owner = target.column(foreignProperty(name, relation))
  return columnLink(entity, name, { target, from: entity.key, owner })
}

function columnLink(
  { table }: AnyEntity,
  name: string,
  { target, from, owner }: Omit<RelationLink, 'bridge'>,
): RelationLink {
  // A key may have 53 bits where the column that refers to it has 32: both are numbers.
  const areNumbers = numbers.has(from.kind) && numbers.has(owner.kind)
  if (areNumbers || from.kind === owner.kind) return { target, from, owner, bridge: null }
  throw new InvalidArgumentException(
    'E_RELATION',
    `${table}.${name}: ${table}.${from.property} is ${from.kind} and ${target.table}.${owner.property} is ${owner.kind}; declare both with the same kind`,
  )
}

const numbers: ReadonlySet<ColumnKind> = new Set(['integer', 'safe-integer'])

/**
 * The condition that a row has related rows that match conditions, or none.
 * @throws InvalidArgumentException when the relation is unknown or defined incorrectly.
 */
export function isRelated(
  entity: AnyEntity,
  name: string,
  exists: boolean,
  conditions: readonly Condition[],
): Related {
  const { target, from, owner, bridge } = relationLink(entity, name)
  const { table, key } = target
  const related = { type: 'related', exists, from, table, bridge, conditions } as const
  return { ...related, owner: bridge === null ? owner : key }
}
