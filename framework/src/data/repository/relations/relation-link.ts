import { InvalidArgumentException } from '../../../base/errors.ts'
import type { ColumnReference } from '../../sql/plan/column-reference.ts'
import type { Dialect } from '../../sql/dialects/dialect.ts'
import { Draft } from '../../sql/write/draft.ts'
import { Operators, Orders } from '../../sql/plan/operators.ts'
import type { Query } from '../../sql/plan/query.ts'
import { bindable } from '../../sql/values/bindable.ts'
import { compileSelect } from '../../sql/write/compile-select.ts'
import { foreignProperty } from '../entity/entity.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'
import type { Bridge } from './relation.ts'

/** How rows of one entity find the related rows of another. */
export interface RelationLink {
  readonly target: AnyEntity
  /** The property whose values are looked up. */
  readonly from: string
  /** The result column that repeats this value, and its position in a raw row. */
  readonly owner: ColumnReference
  readonly position: number
  /** Selects the related rows of these values, ordered by key, with the target's columns first. */
  query(values: readonly unknown[], dialect: Dialect): Query
}

/**
 * The link of a relation.
 * @throws InvalidArgumentException when a column is missing or differs in kind from the key.
 */
export function relationLink(entity: AnyEntity, name: string): RelationLink {
  const relation = entity.relation(name)
  const target = entity.target(name)
  if (relation.bridge !== null) return bridgeLink(entity, target, relation.bridge)
  if (relation.kind === 'belongs-to') {
    const from = entity.column(foreignProperty(name, relation))
    return columnLink({ entity, name, from, target, owner: target.key })
  }
  const owner = target.column(foreignProperty(name, relation))
  return columnLink({ entity, name, from: entity.key, target, owner })
}

interface ColumnPair {
  readonly entity: AnyEntity
  readonly name: string
  readonly from: EntityColumn
  readonly target: AnyEntity
  readonly owner: EntityColumn
}

function columnLink({ entity, name, from, target, owner }: ColumnPair): RelationLink {
  if (from.kind !== owner.kind) {
    throw new InvalidArgumentException(
      'E_RELATION',
      `${entity.table}.${name}: ${entity.table}.${from.property} is ${from.kind} and ${target.table}.${owner.property} is ${owner.kind}; declare both with the same kind`,
    )
  }
  return {
    target,
    from: from.property,
    owner,
    position: target.columns.indexOf(owner),
    query: (values, dialect) => columnQuery(target, owner, values, dialect),
  }
}

function columnQuery(
  target: AnyEntity,
  column: EntityColumn,
  values: readonly unknown[],
  dialect: Dialect,
): Query {
  return compileSelect(
    {
      table: target.table,
      columns: target.columns,
      conditions: [{ type: 'comparison', column, operator: Operators.In, value: values }],
      orderings: [{ column: target.key, order: Orders.Asc, nulls: null }],
      seek: null,
      limit: null,
      offset: 0,
      lock: null,
    },
    dialect,
  )
}

function bridgeLink(entity: AnyEntity, target: AnyEntity, bridge: Bridge): RelationLink {
  return {
    target,
    from: entity.key.property,
    owner: entity.key,
    position: target.columns.length,
    query: (values, dialect) => bridgeQuery(entity, target, bridge, values, dialect),
  }
}

function bridgeQuery(
  entity: AnyEntity,
  target: AnyEntity,
  bridge: Bridge,
  values: readonly unknown[],
  dialect: Dialect,
): Query {
  const draft = new Draft(dialect)
  const owner = `bridge.${dialect.quote(bridge.source)}`
  const key = `target.${draft.name(target.key)}`
  const columns = target.columns.map((column) => `target.${draft.name(column)}`).join(', ')
  const places = values
    .map((value) => draft.comparand(entity.key, bindable(entity.key, value, dialect)))
    .join(', ')
  return {
    sql:
      `SELECT ${columns}, ${owner} FROM ${dialect.quote(bridge.through)} AS bridge` +
      ` JOIN ${dialect.quote(target.table)} AS target ON ${key} = bridge.${dialect.quote(bridge.target)}` +
      ` WHERE ${owner} IN (${places}) ORDER BY ${key}`,
    parameters: draft.parameters,
    raw: true,
  }
}
