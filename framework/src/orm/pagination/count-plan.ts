import { FrameworkError } from '../../base/errors.ts'
import type { Result } from '../../database/operation.ts'
import { compileCount } from '../../database/sql/write/compile-count.ts'
import { compileSelect } from '../../database/sql/write/compile-select.ts'
import type { Dialect, RowEstimate } from '../../database/sql/dialects/dialect.ts'
import type { Query } from '../../database/sql/plan/query.ts'
import type { SelectPlan } from '../../database/sql/plan/select-plan.ts'
import { Counts } from './counts.ts'

/** How to count the rows of a plan: the query, and how to read its result. */
export interface CountPlan {
  readonly query: Query
  /** The kind of the result; without support for estimates, `Estimate` becomes `Exact`. */
  readonly kind: Counts
  readonly read: (result: Result) => number
}

/** Options of `planCount`. */
export interface CountOptions {
  readonly count: Counts
  /** A capped count stops one row above this. */
  readonly cap: number
}

/** How to count the rows of a plan, or null if nothing is counted. */
export function planCount(
  plan: SelectPlan,
  { count, cap }: CountOptions,
  dialect: Dialect,
): CountPlan | null {
  if (count === Counts.None) return null
  if (count === Counts.Capped) {
    const { sql, parameters } = compileSelect({ ...restriction(plan), limit: cap + 1 }, dialect)
    const query = { sql: `SELECT COUNT(*) AS total FROM (${sql}) AS counted`, parameters }
    return { query, kind: count, read: readTotal }
  }
  if (count === Counts.Estimate && dialect.estimate !== null) {
    const { estimate } = dialect
    const { sql, parameters } = compileSelect(restriction(plan), dialect)
    const query = { sql: `${estimate.explain} ${sql}`, parameters }
    return { query, kind: count, read: (result) => readEstimate(result, estimate) }
  }
  return { query: compileCount(plan, dialect), kind: Counts.Exact, read: readTotal }
}

function restriction(plan: SelectPlan): SelectPlan {
  const columns = plan.columns.slice(0, 1)
  return { ...plan, columns, orderings: [], seek: null, limit: null, offset: 0, lock: null }
}

/** The number of rows that the planner expects; 0 if it gives none. */
export function readEstimate({ rows: [row] }: Result, { read }: RowEstimate): number {
  const estimate = read(row)
  return Number.isFinite(estimate) ? Math.max(0, Math.round(estimate)) : 0
}

// Drivers return a 64-bit count as a bigint or as digits; users get a number.
function readTotal({ rows: [row] }: Result): number {
  const cell: unknown = Array.isArray(row) ? row[0] : Object.values(row ?? {})[0]
  const total = Number(cell)
  if (Number.isSafeInteger(total)) return total
  throw new FrameworkError('E_INTEGER_RANGE', 'the result of a COUNT(*) is not a number')
}
