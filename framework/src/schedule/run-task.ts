import { FrameworkError } from '../base/errors.ts'
import type { Throwables } from '../errors/throwables/throwables.ts'
import { Emitter } from '../events/emitter.ts'
import { CurrentWork } from '../activity/current-work.ts'
import type { Channel } from '../logs/channel.ts'
import { SpanKinds } from '../tracing/span.ts'
import { Tracers } from '../tracing/tracer.ts'
import type { OpenSpan } from '../tracing/tracer.ts'
import { failureReason, runUntilEnd } from '../queue/job.ts'
import { TaskActivity, TaskOutcomes, TaskEvents } from './bound-task.ts'
import type { BoundTask, TaskResult } from './bound-task.ts'
import type { ScheduleStore } from './schedule-store.ts'

/** A claimed run. */
export interface ClaimedRun {
  readonly task: BoundTask
  readonly due: Date
  /** Of its lease; null if runs may overlap. */
  readonly token: string | null
  /** Aborted when the lease is lost. */
  readonly lost: AbortSignal
  /** Aborted when the process can wait no longer. */
  readonly cut: AbortSignal
}

/** Context of `runTask`. */
export interface RunTaskContext {
  readonly store: ScheduleStore
  readonly log: Channel
  /** Receives the errors of tasks. */
  readonly throwables: Throwables
  readonly nowMs: () => number
}

/** Runs a task once and stores how it ended. Its error is reported. Never rejects. */
export function runTask(run: ClaimedRun, context: RunTaskContext): Promise<TaskResult> {
  const { task, due } = run
  const activity = new TaskActivity(task.name, due)
  const span = beginSpan(task.name, due)
  activity.span = span
  Emitter.Instance.emit(TaskEvents.Began, activity)
  return CurrentWork.runActivity(activity, async () => {
    const startMs = performance.now()
    const error = await attempt(run, context.log)
    if (error !== null) {
      span?.recordException(error).fail()
      context.throwables.notify(error, { task: task.name, due: due.toISOString() })
    }
    const outcome = await finish(run, error, context)
    const reason = error === null ? null : failureReason(error)
    const durationMs = performance.now() - startMs
    const result: TaskResult = { task: task.name, due, outcome, reason, durationMs }
    span?.setAttribute('framework.task.outcome', outcome).end()
    log(result, context.log)
    Emitter.Instance.emit(TaskEvents.Ended, activity, result)
    return result
  })
}

/** Runs the code of a task; returns its error or null. */
function attempt({ task, due, lost, cut }: ClaimedRun, log: Channel): Promise<Error | null> {
  return runUntilEnd(
    (signal) => task.run({ due, signal, log }),
    lost,
    (end) => {
      const endWith = (text: string): void =>
        end(new FrameworkError('E_TASK', `the task ${task.name} ${text}`))
      const onCut = (): void => endWith('was still running when its process had to stop')
      const late = (): void => endWith(`took longer than ${task.timeoutMs / 1_000} s`)
      const timer = setTimeout(late, task.timeoutMs)
      cut.addEventListener('abort', onCut)
      if (cut.aborted) onCut()
      return () => {
        clearTimeout(timer)
        cut.removeEventListener('abort', onCut)
      }
    },
  )
}

/** Stores how a run ended. If that fails, its lease ends by itself. */
async function finish(
  { task, token }: ClaimedRun,
  error: Error | null,
  { store, throwables, nowMs }: RunTaskContext,
): Promise<TaskResult['outcome']> {
  const outcome = error === null ? TaskOutcomes.Done : TaskOutcomes.Failed
  const reason = error === null ? null : failureReason(error)
  try {
    const end = { task: task.name, token, outcome, reason, endedMs: nowMs() }
    return (await store.finish(end)) ? outcome : TaskOutcomes.Lost
  } catch (thrown) {
    throwables.notify(thrown, { task: task.name })
    return outcome
  }
}

function beginSpan(name: string, due: Date): OpenSpan | null {
  const span = Tracers.current?.root(`task ${name}`, { kind: SpanKinds.Internal }) ?? null
  return span?.setAttributes({ 'framework.task.due': due.toISOString() }) ?? null
}

function log({ task, due, outcome, reason, durationMs }: TaskResult, channel: Channel): void {
  const ms = Math.round(durationMs)
  if (outcome === TaskOutcomes.Done) channel.info('task done', { task, due, ms })
  else channel.warn(`task ${outcome}`, { task, due, ms, reason })
}
