import type { ScheduleRunnerOptions } from '../../schedule/schedule-runner.ts'
import { ScheduleRunner } from '../../schedule/schedule-runner.ts'
import { TaskOutcomes } from '../../schedule/bound-task.ts'
import type { TaskResult } from '../../schedule/bound-task.ts'
import { ExitStatus } from '../../base/terminal/exit-status.ts'
import type { ProjectFlags } from '../project-queues.ts'
import { withProjectSchedule } from '../schedule/project-schedule.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { untilSignal } from '../until-signal.ts'

/** Options of `framework schedule run`. */
export interface ScheduleRunFlags extends ProjectFlags {
  readonly once?: boolean
}

/**
 * Runs the tasks of a project: until a signal, after which running ones may finish; with `--once` those
 * that are due; or a single one now. The status of the last two is not 0 if a task failed.
 */
export function runSchedule(
  task: string | null,
  { once = false, ...flags }: ScheduleRunFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  return withProjectSchedule(flags, process.stdout, async ({ schedule, logs, drain }) => {
    const results: TaskResult[] = []
    const options: ScheduleRunnerOptions = {
      ...schedule,
      log: logs.channel('schedule'),
      onResult: (result) => void results.push(result),
    }
    const { signal, release } = untilSignal()
    try {
      if (task !== null) return await runOne(task, options, { drain, signal, terminal })
      if (once) return await runDue(options, { drain, signal, results })
      await runAll(options, { drain, signal, terminal })
      return ExitStatus.Ok
    } finally {
      release()
    }
  })
}

interface Running {
  readonly drain: number
  readonly signal: AbortSignal
}

async function runAll(
  options: ScheduleRunnerOptions,
  { drain, signal, terminal }: Running & { readonly terminal: Terminal },
): Promise<void> {
  // Nobody reads the results.
  const runner = new ScheduleRunner({ ...options, onResult: () => {} })
  await runner.start()
  const { length } = options.tasks
  terminal.out(`${length} ${length === 1 ? 'task' : 'tasks'} on the schedule\n`)
  await aborted(signal)
  await runner.stop(drain)
}

async function runDue(
  options: ScheduleRunnerOptions,
  { results, ...running }: Running & { readonly results: readonly TaskResult[] },
): Promise<ExitStatus> {
  await untilDone(new ScheduleRunner(options), running, async (runner) => {
    await runner.look()
    await runner.settled()
  })
  return results.every(({ outcome }) => outcome === TaskOutcomes.Done)
    ? ExitStatus.Ok
    : ExitStatus.UserError
}

async function runOne(
  task: string,
  options: ScheduleRunnerOptions,
  { terminal, ...running }: Running & { readonly terminal: Terminal },
): Promise<ExitStatus> {
  const result = await untilDone(new ScheduleRunner(options), running, (runner) =>
    runner.runNow(task),
  )
  if (result === null) terminal.out(`${task} is running already\n`)
  else terminal.out(`${task}: ${result.outcome} after ${Math.round(result.durationMs)} ms\n`)
  return result?.outcome === TaskOutcomes.Done ? ExitStatus.Ok : ExitStatus.UserError
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

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
}
