import { InvalidArgumentException } from '../../../base/errors.ts'
import { Dialects } from '../dialects/dialect.ts'
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
  const name = draft.name(column)
  const isDescending = order === Orders.Desc
  const sql = isDescending ? `${name} DESC` : `${name} ASC`
  if (nulls === null) return sql
  const isFirst = nulls === Nulls.First
  if (draft.dialect.name !== Dialects.MariaDB) return `${sql} NULLS ${isFirst ? 'FIRST' : 'LAST'}`
  // For MariaDB NULL is less than any value, and there is no other way to say where it goes.
  if (isFirst !== isDescending) return sql
  return `${name} IS NULL ${isFirst ? 'DESC' : 'ASC'}, ${sql}`
}

/**
 * ` LIMIT … OFFSET …`, or '' for all rows. The limit stands in the text, checked: PostgreSQL, told it
 * as a parameter, expects a tenth of the table and plans the statement anew each time.
 * @throws InvalidArgumentException unless both are whole numbers.
 */
export function limitClause({ limit, offset }: SelectPlan, draft: Draft): string {
  if (limit === null && offset === 0) return ''
  const slice = limit === null ? unlimited[draft.dialect.name] : ` LIMIT ${whole('limit', limit)}`
  return offset === 0 ? slice : `${slice} OFFSET ${draft.place(whole('offset', offset))}`
}

// An offset without a limit is a sentence in PostgreSQL only.
const unlimited: Readonly<Record<Dialects, string>> = {
  sqlite: ' LIMIT -1',
  postgres: '',
  mariadb: ' LIMIT 18446744073709551615',
}

function whole(name: string, rows: number): number {
  if (Number.isSafeInteger(rows) && rows >= 0) return rows
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${name} takes a whole number of 0 or more`,
  )
}

/** ` FOR UPDATE` or its like; '' on SQLite, where a transaction locks the whole database. */
export function lockClause(lock: SelectPlan['lock'], { dialect }: Draft): string {
  if (lock === null || dialect.name === Dialects.SQLite) return ''
  if (lock === 'update') return ' FOR UPDATE'
  return dialect.name === Dialects.MariaDB ? ' LOCK IN SHARE MODE' : ' FOR SHARE'
}
