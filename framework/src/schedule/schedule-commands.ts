import { once } from 'node:events'
import { printable } from '../base/encoding/printable.ts'
import { ExitStatus } from '../base/terminal/terminal.ts'
import type { Terminal } from '../base/terminal/terminal.ts'
import { textTable } from '../base/terminal/text-table.ts'
import { untilSignal } from '../base/terminal/until-signal.ts'
import { epochMs } from '../base/time/epoch-seconds.ts'
import type { Channel } from '../logs/channel.ts'
import { ScheduleRunner } from './schedule-runner.ts'
import type { ScheduleRunnerOptions } from './schedule-runner.ts'
import type { TaskState } from './schedule-store.ts'
import { TaskOutcomes } from './bound-task.ts'
import type { TaskResult } from './bound-task.ts'

/** The tasks of a project, and where their runs are recorded. */
type Scheduled = Pick<ScheduleRunnerOptions, 'tasks' | 'store' | 'lease'>

/** How `framework schedule run` runs the tasks. */
export interface RunScheduleOptions {
  /** The task to run now; null for those that are due. */
  readonly task: string | null
  /** Whether it stops when what is due now has run. */
  readonly once: boolean
  readonly log: Channel
  /** Seconds that running tasks get to finish after a signal. */
  readonly drain: number
}

/**
 * Runs the tasks of a project: until a signal, after which running ones may finish; with `once` those
 * that are due; or a single one now. The status of the last two is not 0 if a task failed.
 */
export async function runSchedule(
  schedule: Scheduled,
  { task, once, log, drain }: RunScheduleOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  const options = { ...schedule, log }
  const { signal, release } = untilSignal()
  const running = { drain, signal }
  try {
    if (task !== null) return await runOne(task, options, running, terminal)
    if (once) return await runDue(options, running)
    return await runAll(options, running, terminal)
  } finally {
    release()
  }
}

interface Running {
  readonly drain: number
  readonly signal: AbortSignal
}

async function runOne(
  task: string,
  options: ScheduleRunnerOptions,
  running: Running,
  terminal: Terminal,
): Promise<ExitStatus> {
  const result = await untilDone(new ScheduleRunner(options), running, (runner) =>
    runner.runNow(task),
  )
  if (result === null) terminal.out(`${task} is running already\n`)
  else terminal.out(`${task}: ${result.outcome} after ${Math.round(result.durationMs)} ms\n`)
  return result?.outcome === TaskOutcomes.Done ? ExitStatus.Ok : ExitStatus.UserError
}

async function runDue(options: ScheduleRunnerOptions, running: Running): Promise<ExitStatus> {
  const results: TaskResult[] = []
  const onResult = (result: TaskResult): void => void results.push(result)
  await untilDone(new ScheduleRunner({ ...options, onResult }), running, async (runner) => {
    await runner.look()
    await runner.settled()
  })
  return results.every(({ outcome }) => outcome === TaskOutcomes.Done)
    ? ExitStatus.Ok
    : ExitStatus.UserError
}

async function runAll(
  options: ScheduleRunnerOptions,
  { drain, signal }: Running,
  terminal: Terminal,
): Promise<ExitStatus> {
  const runner = new ScheduleRunner(options)
  await runner.start()
  const { length } = options.tasks
  terminal.out(`${length} ${length === 1 ? 'task' : 'tasks'} on the schedule\n`)
  if (!signal.aborted) await once(signal, 'abort')
  await runner.stop(drain)
  return ExitStatus.Ok
}

/** Keeps leases while `work` goes on. A signal gives it the time of a drain. */
async function untilDone<T>(
  runner: ScheduleRunner,
  { drain, signal }: Running,
  work: (runner: ScheduleRunner) => Promise<T>,
): Promise<T> {
  await runner.register()
  const release = runner.hold()
  const stop = (): void => void runner.stop(drain)
  signal.addEventListener('abort', stop)
  try {
    return await work(runner)
  } finally {
    signal.removeEventListener('abort', stop)
    release()
  }
}

/** Lists the tasks of a project, those that no process has run yet included. */
export async function listSchedule(
  schedule: Scheduled,
  { json }: { readonly json: boolean },
  terminal: Terminal,
): Promise<ExitStatus> {
  const rows = await describeTasks(schedule, epochMs())
  if (json) terminal.out(`${JSON.stringify(rows, null, 2)}\n`)
  else if (rows.length === 0) terminal.out('there are no tasks\n')
  else terminal.out(tasksTable(rows, terminal))
  return ExitStatus.Ok
}

interface TaskRow extends Pick<
  TaskState,
  'task' | 'expression' | 'reason' | 'runs' | 'failures' | 'skipped' | 'missed'
> {
  /** When it is due next; null for never. */
  readonly next: Date | null
  /** When its last run began. */
  readonly last: Date | null
  readonly outcome: TaskState['outcome'] | 'running' | 'lost'
  readonly success: Date | null
}

async function describeTasks({ tasks, store }: Scheduled, nowMs: number): Promise<TaskRow[]> {
  const states = new Map((await store.list()).map((state) => [state.task, state]))
  return tasks.map(({ name, times }) => {
    const state = states.get(name) ?? null
    return {
      task: name,
      expression: times.expression,
      next: dateOf(times.next(nowMs)),
      last: dateOf(state?.startedMs ?? null),
      outcome: state === null ? null : outcomeOf(state, nowMs),
      reason: state?.reason ?? null,
      success: dateOf(state?.successMs ?? null),
      runs: state?.runs ?? 0,
      failures: state?.failures ?? 0,
      skipped: state?.skipped ?? 0,
      missed: state?.missed ?? 0,
    }
  })
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms)
}

function outcomeOf(state: TaskState, nowMs: number): TaskRow['outcome'] {
  const { startedMs, endedMs, outcome, lease, leaseMs } = state
  if (startedMs === null || endedMs !== null) return outcome
  return lease !== null && leaseMs <= nowMs ? 'lost' : 'running'
}

const headings = [
  'task',
  'due',
  'next',
  'last run',
  'outcome',
  'runs',
  'failed',
  'skipped',
  'missed',
]

function tasksTable(rows: readonly TaskRow[], terminal: Terminal): string {
  const { red, yellow } = terminal.paint
  const count = (number: number): string => (number === 0 ? '0' : yellow(String(number)))
  const cells = rows.map((row) => [
    row.task,
    printable(row.expression),
    timeOf(row.next),
    timeOf(row.last),
    row.outcome === 'failed' || row.outcome === 'lost'
      ? red([row.outcome, row.reason].filter((word) => word !== null).join(': '))
      : (row.outcome ?? ''),
    String(row.runs),
    row.failures === 0 ? '0' : red(String(row.failures)),
    count(row.skipped),
    count(row.missed),
  ])
  return textTable(headings, cells, terminal)
}

/** `2026-11-16 09:46:00 UTC` */
function timeOf(time: Date | null): string {
  if (time === null) return 'never'
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
