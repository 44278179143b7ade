import { InvalidArgumentException } from '../../base/errors.ts'
import type { ColumnReference } from '../../database/sql/plan/column-reference.ts'
import { Nulls, Orders } from '../../database/sql/plan/operators.ts'
import type { Ordering } from '../../database/sql/plan/select-plan.ts'
import type { AnyEntity } from '../entity/entity.ts'

/**
 * Makes an order total by appending the columns of the key, unless they are already part of it; for
 * distinct rows, all their columns. They have the direction of the last column, so that an index on
 * the order and the key serves it read backwards too; without an order they ascend. Whatever follows
 * the key, and repeated columns, cannot affect the order and is dropped.
 */
export function completeOrder(
  orderings: readonly Ordering[],
  { keys }: AnyEntity,
  distinct: readonly ColumnReference[] | null = null,
): readonly Ordering[] {
  const complete: Ordering[] = []
  const missing = new Set<ColumnReference>(keys)
  for (const ordering of orderings) {
    if (!complete.some(({ column }) => column === ordering.column)) complete.push(ordering)
    missing.delete(ordering.column)
    if (missing.size === 0) return complete
  }
  const order = complete.at(-1)?.order ?? Orders.Asc
  for (const column of distinct ?? missing) {
    if (complete.some((ordering) => ordering.column === column)) continue
    complete.push({ column, order, nulls: null })
  }
  return complete
}

/** The same order in reverse. */
export function reversedOrder(orderings: readonly Ordering[]): readonly Ordering[] {
  return orderings.map(({ column, order, nulls }) => ({
    column,
    order: order === Orders.Asc ? Orders.Desc : Orders.Asc,
    nulls: nulls === null ? null : nulls === Nulls.First ? Nulls.Last : Nulls.First,
  }))
}

/** The same order with a position for NULL in every nullable column: last unless it says otherwise. */
export function placeNulls(orderings: readonly Ordering[]): readonly Ordering[] {
  return orderings.map(({ column, order, nulls }) => ({
    column,
    order,
    nulls: column.isNullable ? (nulls ?? Nulls.Last) : null,
  }))
}

/**
 * Rejects an order that cursors do not support: rows with NULL would be lost at the first page that
 * ends among them, and JSON and bytes have no position that a cursor could store.
 * @throws InvalidArgumentException that names the column.
 */
export function refuseUnwalkable(
  orderings: readonly Ordering[],
  { table }: AnyEntity,
  takesNulls: boolean = false,
): void {
  for (const { column, nulls } of orderings) {
    const name = `${table}.${column.name}`
    if (column.isNullable && !takesNulls) {
      throw unwalkable(
        `${name} is nullable; order by columns that are never NULL, or allow it with nulls: true`,
      )
    }
    if (nulls !== null && !takesNulls)
      throw unwalkable(`${name} is ordered with nulls ${nulls}; remove that`)
    if (column.kind === 'json' || column.kind === 'bytes') {
      throw unwalkable(`${name} is ${column.kind}; order by another column`)
    }
  }
}

function unwalkable(reason: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_CURSOR_ORDER',
    `a cursor does not support this order: ${reason}`,
  )
}
