import type { Activity } from './activity.ts'
import { StepKinds } from './step.ts'
import type { StepWatcher } from './step.ts'

/**
 * Counts the statements of each activity and adds up their durations. For this alone statements need not
 * become steps: `Steps.skipsStatement` counts the others.
 */
export const countStatements: StepWatcher = {
  ended({ kind, scope: { activity }, durationMs }) {
    if (kind === StepKinds.Sql && activity !== null) countStatement(activity, durationMs)
  },
}

/** Counts one statement. */
export function countStatement(activity: Activity, durationMs: number): void {
  activity.statements += 1
  activity.statementMs += durationMs
}
