import type { Activity } from './activity.ts'
import type { CallSite } from './caller.ts'
import { shownStatement } from './shown-statement.ts'
import { StepKinds } from './step.ts'
import type { Step, StepWatcher } from './step.ts'
import { shownCaller } from './caller.ts'

/** A statement that one activity sent several times from the same line of the project. */
export interface RepeatedStatement {
  /** SELECT, INSERT, UPDATE or DELETE. */
  readonly kind: string
  /** Without its values. */
  readonly statement: string
  readonly caller: CallSite
  readonly count: number
  /** The sum of all of them. */
  readonly durationMs: number
}

/** Statements and lines of one activity that are told apart. */
const maxTracked = 500

const counts = new WeakMap<Activity, Map<string, Counted>>()

interface Counted extends RepeatedStatement {
  count: number
  durationMs: number
}

/**
 * Counts which statements each activity repeats, for `repeatedStatements`. It looks up the caller of
 * every statement, which costs microseconds: for development and tests.
 */
export const countRepeats: StepWatcher = {
  wantsCallers: true,
  ended(step) {
    const { activity, continues = false } = step.context
    if (step.kind !== StepKinds.Sql || activity === null || continues) return
    // The rest begins and ends transactions.
    if (step.name !== 'OTHER') add(activity, step)
  },
}

/**
 * The statements that an activity has sent at least `min` times from the same line, the most frequent
 * first: usually one for each row of a list (N+1). Later parts of one call, such as the relations of
 * `with()` and the pages of a walk, do not count. Empty unless `countRepeats` watches.
 */
export function repeatedStatements(activity: Activity, min: number): readonly RepeatedStatement[] {
  const counted = [...(counts.get(activity)?.values() ?? [])]
  return counted.filter(({ count }) => count >= min).toSorted((a, b) => b.count - a.count)
}

function add(activity: Activity, { name, text, caller, durationMs }: Step): void {
  // Statements of the framework itself, such as those of a session, have no line of the project.
  if (caller === null) return
  const statement = shownStatement(text)
  const key = `${caller.file}:${caller.line} ${statement}`
  const counted = counts.get(activity) ?? new Map<string, Counted>()
  counts.set(activity, counted)
  const known = counted.get(key)
  if (known !== undefined) {
    known.count += 1
    known.durationMs += durationMs
  } else if (counted.size < maxTracked) {
    counted.set(key, { kind: name, statement, caller, count: 1, durationMs })
  }
}

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
