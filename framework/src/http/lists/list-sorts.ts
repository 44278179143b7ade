import { InvalidArgumentException } from '../../base/errors.ts'
import type { AnyEntity } from '../../orm/entity/entity.ts'
import { Orders } from '../../database/sql/plan/operators.ts'
import type { Nulls } from '../../database/sql/plan/operators.ts'
import type { Ordering } from '../../database/sql/plan/select-plan.ts'

/** The orders of a list, as declared: columns, or orders by name. */
export type DeclaredSorts = readonly string[] | Readonly<Record<string, string | readonly string[]>>

/** Orders by the name that a request chooses them with. */
export type Sorts = ReadonlyMap<string, readonly Ordering[]>

/**
 * The orders of a list by name: of columns, `price` and `-price`.
 * @throws InvalidArgumentException (E_COLUMN, E_LIST) for a column that the entity does not have or
 *   that has no order.
 */
export function bindSorts(entity: AnyEntity, declared: DeclaredSorts, nulls: Nulls | null): Sorts {
  const sorts = new Map<string, readonly Ordering[]>()
  const bind = (column: string): Ordering => bindOrdering(entity, column, nulls)
  if (isColumns(declared)) {
    for (const column of declared) {
      sorts.set(column, [bind(column)])
      sorts.set(`-${column}`, [bind(`-${column}`)])
    }
    return sorts
  }
  for (const [name, columns] of Object.entries(declared)) {
    sorts.set(name, [columns].flat().map(bind))
  }
  return sorts
}

function bindOrdering(entity: AnyEntity, text: string, nulls: Nulls | null): Ordering {
  const isDescending = text.startsWith('-')
  const column = entity.column(isDescending ? text.slice(1) : text)
  if (column.kind === 'json' || column.kind === 'bytes') {
    throw new InvalidArgumentException(
      'E_LIST',
      `a list of ${entity.table} sorts by ${column.property}, which is ${column.kind}; sort by another column`,
    )
  }
  return {
    column,
    order: isDescending ? Orders.Desc : Orders.Asc,
    nulls: column.isNullable ? nulls : null,
  }
}

function isColumns(declared: DeclaredSorts): declared is readonly string[] {
  return Array.isArray(declared)
}
