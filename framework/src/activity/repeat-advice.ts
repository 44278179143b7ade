import type { RepeatedStatement } from './repeated-statements.ts'
import { shownCaller } from './shown-caller.ts'

/** What was repeated, how often and from where: one sentence. */
export function repeatMessage({ count, caller }: RepeatedStatement, root: string): string {
  return `the same statement ran ${count} times from ${shownCaller(caller, root)}`
}

/** What to do about it. */
export function repeatFix({ kind }: RepeatedStatement): string {
  if (kind === 'SELECT') return 'load the rows together: with() for a relation, or Operators.In'
  if (kind === 'INSERT') return 'insert the rows together: insertMany()'
  return 'change the rows together: updateAll(), deleteAll(), or one statement for all of them'
}
