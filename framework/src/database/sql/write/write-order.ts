import { InvalidArgumentException } from '../../../base/errors.ts'
import type { Draft } from './draft.ts'
import { Nulls, Orders } from '../plan/operators.ts'
import type { Ordering, SelectPlan } from '../plan/select-plan.ts'

/** ` ORDER BY …`, or '' when there is no order. */
export function orderClause(orderings: readonly Ordering[], draft: Draft): string {
  let sql = ''
  for (const ordering of orderings) {
    sql += sql === '' ? ' ORDER BY ' : ', '
    sql += writeOrdering(ordering, draft)
  }
  return sql
}

function writeOrdering({ column, order, nulls }: Ordering, draft: Draft): string {
  const name = draft.dialect.orderedBy(draft.name(column), column)
  const direction = order === Orders.Desc ? 'DESC' : 'ASC'
  if (nulls === null) return `${name} ${direction}`
  return draft.dialect.orderNulls(name, direction, nulls === Nulls.First ? 'FIRST' : 'LAST')
}

/**
 * ` LIMIT … OFFSET …`, or '' for all rows. The limit is part of the text, after a check: with a
 * parameter a planner assumes a fraction of the table and may plan the statement each time.
 * @throws InvalidArgumentException unless both are whole numbers.
 */
export function limitClause(
  { limit, offset }: Pick<SelectPlan, 'limit' | 'offset'>,
  draft: Draft,
): string {
  if (limit === null && offset === 0) return ''
  const slice = limit === null ? draft.dialect.noLimit : ` LIMIT ${whole('limit', limit)}`
  return offset === 0 ? slice : `${slice} OFFSET ${draft.bind(whole('offset', offset))}`
}

function whole(name: string, rows: number): number {
  if (Number.isSafeInteger(rows) && rows >= 0) return rows
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${name} must be a whole number, at least 0`,
  )
}

/** ` FOR UPDATE` or the like; '' on a database whose transactions lock more than rows. */
export function lockClause({ lock, locked = null }: SelectPlan, { dialect }: Draft): string {
  if (lock === null) return ''
  return dialect.locks[lock] + (locked === null ? '' : dialect.locks[locked])
}
