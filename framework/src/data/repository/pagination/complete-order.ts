import { InvalidArgumentException } from '../../../base/errors.ts'
import { Orders } from '../../sql/plan/operators.ts'
import type { Ordering } from '../../sql/plan/select-plan.ts'
import type { AnyEntity } from '../entity/entity.ts'

/**
 * An order that leaves no two rows undecided: the key, ascending, decides last unless it was ordered
 * by. What comes behind the key, or a second time, cannot change the order and is left out.
 */
export function completeOrder(
  orderings: readonly Ordering[],
  { key }: AnyEntity,
): readonly Ordering[] {
  const complete: Ordering[] = []
  for (const ordering of orderings) {
    if (!complete.some(({ column }) => column === ordering.column)) complete.push(ordering)
    if (ordering.column === key) return complete
  }
  return [...complete, { column: key, order: Orders.Asc, nulls: null }]
}

/** The same order from its end. */
export function reversedOrder(orderings: readonly Ordering[]): readonly Ordering[] {
  return orderings.map(({ column, order }) => ({
    column,
    order: order === Orders.Asc ? Orders.Desc : Orders.Asc,
    nulls: null,
  }))
}

/**
 * Refuses an order that no cursor can walk: rows with NULL would be lost at the first page that ends
 * among them, and documents and bytes have no position that a cursor could hold.
 * @throws InvalidArgumentException that names the column.
 */
export function refuseUnwalkable(orderings: readonly Ordering[], { table }: AnyEntity): void {
  for (const { column, nulls } of orderings) {
    const name = `${table}.${column.name}`
    if (column.isNullable) {
      throw unwalkable(`${name} may be NULL; order by columns that are never NULL`)
    }
    if (nulls !== null) throw unwalkable(`${name} is ordered with nulls ${nulls}; leave that out`)
    if (column.kind === 'json' || column.kind === 'bytes') {
      throw unwalkable(`${name} holds ${column.kind}; order by another column`)
    }
  }
}

function unwalkable(reason: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_CURSOR_ORDER',
    `a cursor cannot walk this order: ${reason}`,
  )
}
