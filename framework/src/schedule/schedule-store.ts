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
export abstract class ScheduleStore {
  /** All tasks, by name. */
  abstract list(): Promise<readonly TaskState[]>
  abstract find(task: string): Promise<TaskState | null>
  /** Adds a task, unless another process has just done so. */
  protected abstract add(state: TaskState): Promise<void>
  /** Replaces a state. False, and nothing happens, if it is no longer the one that was seen. */
  protected abstract replace(seen: TaskState, next: TaskState): Promise<boolean>
  /** Drops a task; false if its state is no longer the one that was seen. */
  protected abstract drop(seen: TaskState): Promise<boolean>

  /**
   * Adds tasks that are not known yet, and gives those whose times have changed their new expression.
   * Both are due after `nowMs` only.
   */
  async register(
    tasks: readonly Pick<TaskState, 'task' | 'expression'>[],
    nowMs: number,
  ): Promise<void> {
    for (const { task, expression } of tasks) {
      const known = await this.find(task)
      if (known === null) await this.add({ ...noRuns, task, expression, dueMs: nowMs })
      else if (known.expression !== expression) {
        await this.#change(task, (state) => {
          return { ...state, expression, dueMs: Math.max(state.dueMs, nowMs) }
        })
      }
    }
  }

  /** Claims a run. False if the state is no longer the one that was seen. */
  claim(
    seen: TaskState,
    { dueMs, runDueMs, missed, nowMs: startedMs, lease }: RunClaim,
  ): Promise<boolean> {
    return this.replace(seen, {
      ...seen,
      dueMs,
      runDueMs,
      lease: lease?.token ?? null,
      leaseMs: lease?.untilMs ?? 0,
      startedMs,
      endedMs: null,
      outcome: null,
      reason: null,
      // An old lease is that of a run whose process has died.
      failures: seen.failures + (seen.lease === null ? 0 : 1),
      missed: seen.missed + missed,
    })
  }

  /** Lets due times pass. False if the state is no longer the one that was seen. */
  pass(seen: TaskState, { dueMs, skipped, missed }: PassedTimes): Promise<boolean> {
    const counts = { skipped: seen.skipped + skipped, missed: seen.missed + missed }
    return this.replace(seen, { ...seen, dueMs, ...counts })
  }

  /** Renews a lease; false if it was lost. */
  extend(task: string, token: string, leaseMs: number): Promise<boolean> {
    return this.#change(task, (state) => (state.lease === token ? { ...state, leaseMs } : null))
  }

  /** Stores the end of a run; false if its lease was lost. */
  finish({ task, token, outcome, reason, endedMs }: RunEnd): Promise<boolean> {
    const [successes, failures] = outcome === 'done' ? [{ successMs: endedMs }, 0] : [{}, 1]
    return this.#change(task, (state) => {
      if (state.lease !== token) return null
      const counts = { runs: state.runs + 1, failures: state.failures + failures }
      return { ...state, lease: null, endedMs, outcome, reason, ...successes, ...counts }
    })
  }

  /** Drops tasks other than these that have not been due since; resolves with their number. */
  async forget(known: readonly string[], sinceMs: number): Promise<number> {
    let dropped = 0
    for (const state of await this.list()) {
      const isOver = !known.includes(state.task) && state.dueMs < sinceMs
      if (isOver && (await this.drop(state))) dropped += 1
    }
    return dropped
  }

  // Somebody else may change it in between; then it is changed as they left it.
  async #change(task: string, change: (state: TaskState) => TaskState | null): Promise<boolean> {
    for (;;) {
      const state = await this.find(task)
      const next = state === null ? null : change(state)
      if (state === null || next === null) return false
      if (await this.replace(state, next)) return true
    }
  }
}

const noRuns: Omit<TaskState, 'task' | 'expression' | 'dueMs'> = {
  lease: null,
  leaseMs: 0,
  runDueMs: null,
  startedMs: null,
  endedMs: null,
  outcome: null,
  reason: null,
  successMs: null,
  runs: 0,
  failures: 0,
  skipped: 0,
  missed: 0,
}
