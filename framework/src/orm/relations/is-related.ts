import type { Condition, Related } from '../../database/sql/plan/condition.ts'
import type { AnyEntity } from '../entity/entity.ts'
import { relationLink } from './relation-link.ts'

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
  const related = {
    type: 'related',
    exists,
    from,
    table: target.table,
    bridge,
    conditions,
  } as const
  return { ...related, owner: bridge === null ? owner : target.key }
}
