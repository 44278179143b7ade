import type {
  PassedTimes,
  RunClaim,
  RunEnd,
  ScheduleStore,
  SeenState,
  TaskState,
} from './schedule-store.ts'

/** A schedule in the memory of one process: for tests, and for projects that are one process. */
export class MemorySchedule implements ScheduleStore {
  readonly #states = new Map<string, TaskState>()

  async register(
    tasks: readonly Pick<TaskState, 'task' | 'expression'>[],
    nowMs: number,
  ): Promise<void> {
    for (const { task, expression } of tasks) {
      const known = this.#states.get(task)
      if (known?.expression === expression) continue
      const dueMs = Math.max(known?.dueMs ?? nowMs, nowMs)
      this.#states.set(task, { ...noRuns, ...known, task, expression, dueMs })
    }
  }

  async list(): Promise<readonly TaskState[]> {
    return [...this.#states.values()].toSorted((a, b) => (a.task < b.task ? -1 : 1))
  }

  async find(task: string): Promise<TaskState | null> {
    return this.#states.get(task) ?? null
  }

  async claim(seen: SeenState, claim: RunClaim): Promise<boolean> {
    const { dueMs, runDueMs, missed, nowMs, lease } = claim
    return this.#change(seen, (state) => ({
      ...state,
      dueMs,
      runDueMs,
      lease: lease?.token ?? null,
      leaseMs: lease?.untilMs ?? 0,
      startedMs: nowMs,
      endedMs: null,
      outcome: null,
      reason: null,
      failures: state.failures + (seen.lease === null ? 0 : 1),
      missed: state.missed + missed,
    }))
  }

  async pass(seen: SeenState, { dueMs, skipped, missed }: PassedTimes): Promise<boolean> {
    return this.#change(seen, (state) => ({
      ...state,
      dueMs,
      skipped: state.skipped + skipped,
      missed: state.missed + missed,
    }))
  }

  async extend(task: string, token: string, untilMs: number): Promise<boolean> {
    const state = this.#states.get(task)
    if (state?.lease !== token) return false
    this.#states.set(task, { ...state, leaseMs: untilMs })
    return true
  }

  async finish({ task, token, outcome, reason, endedMs }: RunEnd): Promise<boolean> {
    const state = this.#states.get(task)
    if (state === undefined || state.lease !== token) return false
    const isDone = outcome === 'done'
    this.#states.set(task, {
      ...state,
      lease: null,
      endedMs,
      outcome,
      reason,
      successMs: isDone ? endedMs : state.successMs,
      runs: state.runs + 1,
      failures: state.failures + (isDone ? 0 : 1),
    })
    return true
  }

  async forget(known: readonly string[], sinceMs: number): Promise<number> {
    const over = [...this.#states.values()].filter(
      ({ task, dueMs }) => !known.includes(task) && dueMs < sinceMs,
    )
    for (const { task } of over) this.#states.delete(task)
    return over.length
  }

  #change(seen: SeenState, change: (state: TaskState) => TaskState): boolean {
    const state = this.#states.get(seen.task)
    if (state === undefined || state.dueMs !== seen.dueMs || state.lease !== seen.lease)
      return false
    this.#states.set(seen.task, change(state))
    return true
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
