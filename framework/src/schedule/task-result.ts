/** What became of a due time of a task. */
export const TaskOutcomes = {
  Done: 'done',
  /** It threw, took too long or was cut at the end of its process. */
  Failed: 'failed',
  /** Its lease ended before it did, so another process may have run the task meanwhile. */
  Lost: 'lost',
  /** A run was still going on. */
  Skipped: 'skipped',
  /** No process was there to run it. */
  Missed: 'missed',
} as const
Object.freeze(TaskOutcomes)
export type TaskOutcomes = (typeof TaskOutcomes)[keyof typeof TaskOutcomes]

/** How a run of a task ended. */
export interface TaskResult {
  readonly task: string
  readonly due: Date
  readonly outcome: Extract<TaskOutcomes, 'done' | 'failed' | 'lost'>
  /** Class and code of its error, never the message; null if it is done. */
  readonly reason: string | null
  readonly durationMs: number
}
