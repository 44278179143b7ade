import { InvalidArgumentException } from '../../base/errors.ts'
import { compileCount } from '../../database/sql/write/compile-count.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { Ordering, SelectPlan } from '../../database/sql/plan/select-plan.ts'

/**
 * The text that a signed cursor is bound to: the order, and the filters with their values. It uses
 * the COUNT of the plan, which contains exactly the filters, so no kind of filter can be forgotten.
 */
export function cursorContext(
  plan: SelectPlan,
  orderings: readonly Ordering[],
  dialect: Dialect,
): string {
  const { sql, parameters } = compileCount(plan, dialect)
  const orders = orderings.map(({ column, order, nulls }) =>
    nulls === null ? [column.name, order] : [column.name, order, nulls],
  )
  return JSON.stringify([sql, parameters.map(tagged), orders])
}

// Includes the type, because 1, '1' and 1n are different filters.
function tagged(value: unknown): readonly [type: string, text: string | null] {
  if (value === null) return ['null', null]
  if (value instanceof Date) return ['date', value.toISOString()]
  if (value instanceof Uint8Array) return ['bytes', Buffer.from(value).toString('base64')]
  if (isScalar(value)) return [typeof value, String(value)]
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `a filter has a value of type ${typeof value}, which no database supports`,
  )
}

function isScalar(value: unknown): value is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
}
