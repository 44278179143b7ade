import { randomUUID } from 'node:crypto'
import { ConfigurationError } from '../base/errors.ts'
import { epochMs } from '../base/time/epoch-seconds.ts'
import { Wakeup } from '../base/time/wakeup.ts'
import { settledWithin } from '../base/pending-work.ts'
import { Throwables } from '../errors/throwables/throwables.ts'
import { Observability } from '../metrics/observability.ts'
import { StepMetrics } from '../metrics/step-metrics.ts'
import type { Channel } from '../logs/channel.ts'
import { Leases } from '../queue/leases.ts'
import { TaskOutcomes } from './bound-task.ts'
import type { BoundTask, TaskResult } from './bound-task.ts'
import { runTask } from './run-task.ts'
import type { ClaimedRun, RunTaskContext } from './run-task.ts'
import { ScheduleMetrics } from './schedule-metrics.ts'
import type { RunClaim, ScheduleStore, TaskState } from './schedule-store.ts'

/** Options of `ScheduleRunner`. */
export interface ScheduleRunnerOptions {
  readonly tasks: readonly BoundTask[]
  readonly store: ScheduleStore
  readonly log: Channel
  /** Seconds after which the task of a dead process may run again. @default 60 */
  readonly lease?: number
  /** Epoch milliseconds. */
  readonly nowMs?: () => number
  /** Waits for a while, or until woken. @default by a timer */
  readonly wait?: (wakeup: Wakeup, ms: number) => Promise<void>
  /** Called after every run. */
  readonly onResult?: (result: TaskResult) => void
  /** Receives the errors of tasks and failures of the store. @default the shared `Throwables` */
  readonly throwables?: Throwables
  /** Registry that counts and times runs; null for none. @default Observability.Instance */
  readonly registry?: Observability | null
}

interface Entry {
  readonly task: BoundTask
  /** When to look at it again. */
  nextMs: number
}

/** A clock that is changed while we sleep is noticed after this time. */
const maxPauseMs = 10_000
const maxFailurePauseMs = 30_000
const forgetAfterMs = 90 * 86_400_000
/** How long tasks that were told to stop may take to do so. */
const cutMs = 1_000

/**
 * Runs the tasks of a schedule when they are due. Any number of processes may do so: each due time goes
 * to one of them.
 */
export class ScheduleRunner {
  readonly #options: ScheduleRunnerOptions
  readonly #context: RunTaskContext
  readonly #leaseMs: number
  readonly #entries: readonly Entry[]
  readonly #leases: Leases
  readonly #wakeup = new Wakeup()
  readonly #cut = new AbortController()
  readonly #running = new Set<Promise<TaskResult>>()
  #unwatch: (() => void) | null = null
  #loop: Promise<void> | null = null
  #isStopped = false
  #failures = 0

  constructor(options: ScheduleRunnerOptions) {
    const { tasks, store, log, lease = 60, nowMs = epochMs, throwables = Throwables } = options
    this.#options = options
    this.#context = { store, log, throwables, nowMs }
    this.#leaseMs = lease * 1_000
    this.#entries = tasks.map((task) => ({ task, nextMs: 0 }))
    this.#leases = new Leases(
      { extend: ({ id, token }) => store.extend(id, token, nowMs() + this.#leaseMs) },
      { visibility: lease },
    )
  }

  /** Registers the tasks in the store. Times before the first one do not count as missed. */
  async register(): Promise<void> {
    const nowMs = this.#context.nowMs()
    const tasks = this.#entries.map(({ task: { name, times } }) => ({
      task: name,
      expression: times.expression,
    }))
    await this.#context.store.register(tasks, nowMs)
    const names = tasks.map(({ task }) => task)
    await this.#context.store.forget(names, nowMs - forgetAfterMs)
    for (const name of names) this.#metrics()?.expect(name)
  }

  /** Runs tasks until `stop()`. Resolves when the store knows them. */
  async start(): Promise<void> {
    const { registry = Observability.Instance } = this.#options
    await this.register()
    this.#unwatch = registry === null ? null : StepMetrics.watch(registry)
    this.#leases.start()
    this.#loop = this.#run()
  }

  /** Keeps the leases of runs that begin without `start()`. Returns a function that ends this. */
  hold(): () => void {
    this.#leases.start()
    return () => this.#leases.stop()
  }

  /** Begins what is due now, and logs what was missed. */
  async look(): Promise<void> {
    for (const entry of this.#entries) {
      if (entry.nextMs <= this.#context.nowMs()) await this.#lookAt(entry)
    }
  }

  /**
   * Runs a task now, for `due` or else for now, and resolves with the result; null if it is running already.
   * @throws ConfigurationError E_SCHEDULE if there is no such task.
   */
  async runNow(name: string, due?: Date): Promise<TaskResult | null> {
    const entry = this.#entries.find(({ task }) => task.name === name)
    if (entry === undefined) {
      const known = this.#entries.map(({ task }) => task.name).join(', ')
      throw new ConfigurationError('E_SCHEDULE', `there is no task "${name}"; there are ${known}`)
    }
    for (;;) {
      const state = await this.#stateOf(entry.task)
      const nowMs = this.#context.nowMs()
      if (isBusy(entry.task, state, nowMs)) return null
      const times = { dueMs: state.dueMs, runDueMs: due?.getTime() ?? nowMs, missed: 0 }
      const run = await this.#claim(entry.task, state, times)
      if (run !== null) return this.#begin(run)
    }
  }

  /** Resolves when nothing runs any more. */
  async settled(): Promise<void> {
    if (this.#isStopped) await this.#loop
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Begins nothing more and waits for what runs. After `seconds` it is told to stop. */
  async stop(seconds: number): Promise<void> {
    this.#isStopped = true
    this.#wakeup.wake()
    if (!(await settledWithin(this.settled(), seconds * 1_000))) {
      this.#context.log.warn('tasks cut after waiting', { tasks: this.#running.size, seconds })
      this.#cut.abort()
      await settledWithin(this.settled(), cutMs)
    }
    this.#leases.stop()
    this.#unwatch?.()
    this.#unwatch = null
  }

  async #run(): Promise<void> {
    const { wait = (wakeup: Wakeup, ms: number) => wakeup.wait(ms) } = this.#options
    while (!this.#isStopped) await wait(this.#wakeup, await this.#lookAndPause())
  }

  /** How long to wait for the next look. A failing store is reported once and asked less and less often. */
  async #lookAndPause(): Promise<number> {
    try {
      await this.look()
      this.#failures = 0
    } catch (thrown) {
      if (this.#failures === 0) this.#context.throwables.notify(thrown, { origin: 'schedule' })
      this.#failures += 1
      return Math.min(maxFailurePauseMs, 1_000 * 2 ** (this.#failures - 1))
    }
    const nextMs = Math.min(...this.#entries.map((entry) => entry.nextMs))
    return Math.min(maxPauseMs, Math.max(1, nextMs - this.#context.nowMs()))
  }

  async #lookAt(entry: Entry): Promise<void> {
    const { task } = entry
    while (!this.#isStopped) {
      const nowMs = this.#context.nowMs()
      const state = await this.#stateOf(task)
      const pending = pendingTime(task, state.dueMs, nowMs)
      if (pending === null) {
        const nextMs = task.times.next(Math.max(state.dueMs, nowMs))
        entry.nextMs = nextMs ?? Number.POSITIVE_INFINITY
        return
      }
      // Whoever is slower sees in the next round what the other one did.
      if (!pending.runs || isBusy(task, state, nowMs)) await this.#pass(task, state, pending)
      else {
        const run = await this.#claim(task, state, { ...pending, runDueMs: pending.dueMs })
        if (run !== null) void this.#begin(run)
      }
    }
  }

  async #stateOf({ name }: BoundTask): Promise<TaskState> {
    const state = await this.#context.store.find(name)
    if (state !== null) return state
    // Somebody has deleted its row, or it was never registered.
    await this.register()
    const added = await this.#context.store.find(name)
    if (added !== null) return added
    throw new ConfigurationError('E_SCHEDULE', `the store does not keep the task ${name}`)
  }

  /** Claims a run; null if another process was faster. */
  async #claim(
    task: BoundTask,
    state: TaskState,
    times: Pick<RunClaim, 'dueMs' | 'runDueMs' | 'missed'>,
  ): Promise<ClaimedRun | null> {
    const { name, overlap } = task
    const nowMs = this.#context.nowMs()
    const token = overlap === 'allow' ? null : randomUUID()
    const lease = token === null ? null : { token, untilMs: nowMs + this.#leaseMs }
    const { dueMs, runDueMs, missed } = times
    if (!(await this.#context.store.claim(state, { dueMs, runDueMs, missed, nowMs, lease })))
      return null
    if (state.lease !== null) {
      const due = state.runDueMs === null ? null : new Date(state.runDueMs)
      this.#context.log.warn('task lost: the process that ran it has died', { task: name, due })
    }
    const due = new Date(runDueMs)
    if (missed > 0) this.#reportMissed(name, due, missed)
    const isLate = nowMs - runDueMs > task.graceMs
    if (isLate) this.#context.log.warn('task runs late', { task: name, due })
    const lost =
      token === null
        ? new AbortController().signal
        : this.#leases.hold({ queue: 'schedule', id: name, token })
    return { task, due, token, lost, cut: this.#cut.signal }
  }

  /** Lets due times pass that nobody runs, and logs it. */
  async #pass(task: BoundTask, state: TaskState, pending: PendingTime): Promise<void> {
    const { dueMs, missed, runs } = pending
    const skipped = runs ? 1 : 0
    if (!(await this.#context.store.pass(state, { dueMs, skipped, missed }))) return
    const due = new Date(dueMs)
    if (missed > 0) this.#reportMissed(task.name, due, missed)
    if (skipped === 0) return
    this.#context.log.warn('task skipped: its last run goes on', { task: task.name, due })
    this.#metrics()?.count(task.name, TaskOutcomes.Skipped)
  }

  #reportMissed(task: string, last: Date, missed: number): void {
    this.#context.log.warn('task missed: no process was there to run it', { task, missed, last })
    this.#metrics()?.count(task, TaskOutcomes.Missed, missed)
  }

  #begin(run: ClaimedRun): Promise<TaskResult> {
    const { name } = run.task
    const running = runTask(run, this.#context)
    this.#running.add(running)
    return running.then((result) => {
      this.#running.delete(running)
      if (run.token !== null) this.#leases.drop({ queue: 'schedule', id: name, token: run.token })
      this.#metrics()?.time(name, result.outcome, result.durationMs / 1_000)
      try {
        this.#options.onResult?.(result)
      } catch (thrown) {
        this.#context.throwables.notify(thrown, { task: name })
      }
      return result
    })
  }

  #metrics(): ScheduleMetrics | null {
    const { registry = Observability.Instance } = this.#options
    return registry === null ? null : ScheduleMetrics.in(registry)
  }
}

/** Whether the last run goes on, as far as the store knows. */
function isBusy({ overlap }: BoundTask, { lease, leaseMs }: TaskState, nowMs: number): boolean {
  return overlap === 'skip' && lease !== null && leaseMs > nowMs
}

/** A due time of a task that nobody has run yet. */
interface PendingTime {
  readonly dueMs: number
  /** Whether it is still to be run; otherwise it is only reported as missed. */
  readonly runs: boolean
  /** Due times that nobody will run: with this one, unless it runs. */
  readonly missed: number
}

/** A task of every second may have missed a year of due times, and each takes time to find. */
const maxCounted = 100

/** The first thing to do about the due times after the last known one; null for nothing. */
function pendingTime(
  { times, graceMs, catchUp }: Pick<BoundTask, 'times' | 'graceMs' | 'catchUp'>,
  knownMs: number,
  nowMs: number,
): PendingTime | null {
  const first = times.next(knownMs)
  if (first === null || first > nowMs) return null
  const startMs = nowMs - graceMs
  if (first >= startMs) return { dueMs: first, runs: true, missed: 0 }
  let missed = 1
  let dueMs = first
  for (let next = times.next(first); next !== null && next < startMs; next = times.next(next)) {
    if (missed === maxCounted) {
      dueMs = times.latest(startMs - 1) ?? dueMs
      break
    }
    missed += 1
    dueMs = next
  }
  // If another one is due already, that one makes up for those that were missed.
  const isLast = (times.next(dueMs) ?? Number.POSITIVE_INFINITY) > nowMs
  const runs = catchUp === 'once' && isLast
  return { dueMs, runs, missed: runs ? missed - 1 : missed }
}
