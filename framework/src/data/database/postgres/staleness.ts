import type { ServerReport } from './postgres-error.ts'

/**
 * What an error says of the prepared statement it came from. `forgotten`: the session does not have
 * it. `changed`: its columns have other types now. `possible`: its parameters have the types they had
 * when it was prepared, which may be why a value does not fit, unless the value is wrong indeed.
 */
export type Staleness = 'none' | 'possible' | 'changed' | 'forgotten'

const mistyped: ReadonlySet<string> = new Set([
  '22003', // out of range
  '22007', // no date or time
  '22008', // date or time out of range
  '22P02', // no text of the type
  '42725', // ambiguous function or operator
  '42804', // column and expression of different types
  '42846', // no cast between them
  '42883', // no function or operator for them
])

/** Judges the report of a prepared statement that failed. */
export function stalenessOf(report: ServerReport | null): Staleness {
  if (report === null) return 'none'
  if (report.code === '26000') return 'forgotten'
  if (report.code === '0A000' && report.routine === 'RevalidateCachedQuery') return 'changed'
  return mistyped.has(report.code) ? 'possible' : 'none'
}
