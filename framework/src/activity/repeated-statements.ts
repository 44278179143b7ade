import type { Activity } from './activity.ts'
import type { CallSite } from './caller.ts'
import { shownStatement } from './shown-statement.ts'
import { StepKinds } from './step.ts'
import type { Step, StepWatcher } from './step.ts'
import { shownCaller } from './caller.ts'

/** A statement that one activity sent, equal ones of the same line together. */
export interface SentStatement {
  /** SELECT, INSERT, UPDATE or DELETE. */
  readonly kind: string
  /** Without its values. */
  readonly statement: string
  /** Null for the framework's own, and for later parts of one call. */
  readonly caller: CallSite | null
  readonly count: number
  /** The sum of all of them. */
  readonly durationMs: number
}

/** A statement that one activity sent several times from the same line of the project. */
export interface RepeatedStatement extends SentStatement {
  readonly caller: CallSite
}

/** Statements and lines of one activity that are told apart. */
const maxTracked = 500

const counts = new WeakMap<Activity, Map<string, Counted>>()

interface Counted extends SentStatement {
  count: number
  durationMs: number
}

/**
 * Counts the statements of each activity, for the functions below. It looks up the caller of every
 * statement, which costs microseconds: for development and tests.
 */
export const countRepeats: StepWatcher = {
  wantsCallers: true,
  ended(step) {
    const { activity, continues = false } = step.context
    if (step.kind !== StepKinds.Sql || activity === null) return
    // The rest begins and ends transactions.
    if (step.name !== 'OTHER') add(activity, step, continues ? null : step.caller)
  },
}

/**
 * The statements that an activity has sent at least `min` times from the same line, the most frequent
 * first: usually one for each row of a list (N+1). Later parts of one call, such as the relations of
 * `with()` and the pages of a walk, do not count. Empty unless `countRepeats` watches.
 */
export function repeatedStatements(activity: Activity, min: number): readonly RepeatedStatement[] {
  return sentStatements(activity)
    .filter((sent) => hasCaller(sent))
    .filter(({ count }) => count >= min)
    .toSorted((a, b) => b.count - a.count)
}

/** The statements that an activity has sent so far, in their order. Empty unless `countRepeats` watches. */
export function sentStatements(activity: Activity): readonly SentStatement[] {
  return [...(counts.get(activity)?.values() ?? [])]
}

function hasCaller(sent: SentStatement): sent is RepeatedStatement {
  return sent.caller !== null
}

function add(activity: Activity, { name, text, durationMs }: Step, caller: CallSite | null): void {
  const statement = shownStatement(text)
  const key = `${caller?.file}:${caller?.line} ${statement}`
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
