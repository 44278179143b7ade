import { InvalidArgumentException } from '../base/errors.ts'
import type { Condition } from '../database/sql/plan/condition.ts'
import type { Reading } from './reading.ts'

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
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${call} takes conditions alone; the selection's ${present.join(', ')} would be ignored, so remove it`,
  )
}
