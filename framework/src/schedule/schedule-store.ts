/** What is known about a task. Times are epoch milliseconds. */
export interface TaskState {
  readonly task: string
  /** How its times were given when it was registered. */
  readonly expression: string
  /** The last due time that was run, skipped or missed. */
  readonly dueMs: number
  /** Who runs it now, if runs must not overlap; null for nobody. */
  readonly lease: string | null
  /** When that lease ends unless it is renewed. */
  readonly leaseMs: number
  /** Due time of the last run; null if there was none, like all that follows. */
  readonly runDueMs: number | null
  readonly startedMs: number | null
  /** When the last run ended; null while it goes on. */
  readonly endedMs: number | null
  readonly outcome: 'done' | 'failed' | null
  /** Class and code of the error that ended the last run. */
  readonly reason: string | null
  /** When a run last ended well. */
  readonly successMs: number | null
  readonly runs: number
  readonly failures: number
  /** Due times that were skipped because a run went on. */
  readonly skipped: number
  /** Due times at which no process was there to run it. */
  readonly missed: number
}

/** What a change is based on: nothing happens if the task has another state by then. */
export type SeenState = Pick<TaskState, 'task' | 'dueMs' | 'lease'>

/** A run to claim. */
export interface RunClaim {
  /** The due time that is claimed with it; that of the state to claim none. */
  readonly dueMs: number
  /** The due time the run is for. */
  readonly runDueMs: number
  /** Earlier due times that nobody has run. */
  readonly missed: number
  readonly nowMs: number
  /** The lease of the run; null if runs may overlap. */
  readonly lease: { readonly token: string; readonly untilMs: number } | null
}

/** Due times that pass without a run. */
export interface PassedTimes {
  /** The last of them. */
  readonly dueMs: number
  readonly skipped: number
  readonly missed: number
}

/** How a run ended. */
export interface RunEnd {
  readonly task: string
  /** Null if runs may overlap. */
  readonly token: string | null
  readonly outcome: 'done' | 'failed'
  readonly reason: string | null
  readonly endedMs: number
}

/**
 * Stores what happened to the tasks of a schedule, one row for each. Changes are atomic: of several
 * processes that claim the same due time, one gets it.
 */
export interface ScheduleStore {
  /**
   * Adds tasks that are not known yet, and gives those whose times have changed their new expression.
   * Both are due after `nowMs` only.
   */
  register(tasks: readonly Pick<TaskState, 'task' | 'expression'>[], nowMs: number): Promise<void>
  /** All tasks, by name. */
  list(): Promise<readonly TaskState[]>
  find(task: string): Promise<TaskState | null>
  /** Claims a run. False if the state is no longer the one that was seen. */
  claim(seen: SeenState, claim: RunClaim): Promise<boolean>
  /** Lets due times pass. False if the state is no longer the one that was seen. */
  pass(seen: SeenState, passed: PassedTimes): Promise<boolean>
  /** Renews a lease; false if it was lost. */
  extend(task: string, token: string, untilMs: number): Promise<boolean>
  /** Stores the end of a run; false if its lease was lost. */
  finish(end: RunEnd): Promise<boolean>
  /** Drops tasks other than these that have not been due since; resolves with their number. */
  forget(known: readonly string[], sinceMs: number): Promise<number>
}
