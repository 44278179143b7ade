import type { ServerReport } from './postgres-error.ts'

/**
 * What an error reveals about its prepared statement. `forgotten`: the session does not have it.
 * `changed`: its columns have other types now. `possible`: its parameters still have the types from
 * when it was prepared, which may be why a value does not fit, unless the value is indeed wrong.
 */
export type Staleness = 'none' | 'possible' | 'changed' | 'forgotten'

const typeErrors: ReadonlySet<string> = new Set([
  '22003', // out of range
  '22007', // not a date or time
  '22008', // date or time out of range
  '22P02', // not a text of the type
  '42725', // ambiguous function or operator
  '42804', // column and expression of different types
  '42846', // no cast between them
  '42883', // no function or operator for them
])

/** Classifies the error of a prepared statement. */
export function stalenessOf(report: ServerReport | null): Staleness {
  if (report === null) return 'none'
  if (report.code === '26000') return 'forgotten'
  if (report.code === '0A000' && report.routine === 'RevalidateCachedQuery') return 'changed'
  return typeErrors.has(report.code) ? 'possible' : 'none'
}
