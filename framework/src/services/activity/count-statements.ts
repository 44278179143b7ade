import { StepKinds } from './step.ts'
import type { StepWatcher } from './step.ts'

/** Counts the statements of each activity and adds up their durations. */
export const countStatements: StepWatcher = {
  ended({ kind, scope: { activity }, durationMs }) {
    if (kind !== StepKinds.Sql || activity === null) return
    activity.statements += 1
    activity.statementMs += durationMs
  },
}
