import { setTimeout as sleep } from 'node:timers/promises'
import { FrameworkError } from '../base/errors.ts'
import { toError } from '../base/to-error.ts'
import type { Throwables } from '../errors/throwables/throwables.ts'
import { Emitter } from '../events/emitter.ts'
import { CurrentWork } from '../activity/current-work.ts'
import { messagingAttributes } from '../tracing/span.ts'
import { isSpan, SpanKinds } from '../tracing/span.ts'
import { parseTraceContext } from '../tracing/trace-context.ts'
import { Tracers } from '../tracing/tracer.ts'
import type { OpenSpan } from '../tracing/tracer.ts'
import { failureReason } from './job.ts'
import type { LeasedJob } from './job-store.ts'
import { JobOutcomes, JobActivity, JobEvents, PermanentFailure, runUntilEnd } from './job.ts'
import type { JobResult, JobHandler } from './job.ts'
import type { Leases } from './leases.ts'
import type { CompleteQueueOptions, Queue, UnsealedJob } from './queue.ts'

/** Context of `runJob`. */
export interface RunContext {
  readonly leases: Leases
  /** Receives reports of dead jobs and store failures. */
  readonly throwables: Throwables
  /** Waits between two attempts to store a result. @default a timer */
  readonly pause?: (ms: number) => Promise<unknown>
}

/** Attempts to store a result, and the first pause between two of them. */
const maxWrites = 4
const firstPauseMs = 250

/** Runs one attempt of a job and stores the outcome. Never rejects. */
export function runJob<Payload>(
  queue: Queue<Payload>,
  handler: JobHandler<Payload>,
  job: LeasedJob,
  context: RunContext,
): Promise<JobResult> {
  const activity = new JobActivity(job)
  // Opened first: the content says which trace the job comes from.
  const opened = open(queue, job)
  const span = beginJobSpan(job, opened instanceof Error ? null : opened.origin)
  activity.span = span
  Emitter.Instance.emit(JobEvents.Began, activity)
  return CurrentWork.runActivity(activity, async () => {
    const result = await run(queue, handler, job, opened, context)
    if (span !== null) endJobSpan(span, result)
    Emitter.Instance.emit(JobEvents.Ended, activity, result)
    return result
  })
}

/** The content of a job, or why it cannot be read. */
type Opened<Payload> = UnsealedJob<Payload> | Error

function open<Payload>(queue: Queue<Payload>, job: LeasedJob): Opened<Payload> {
  try {
    return queue.unseal(job)
  } catch (thrown) {
    return toError(thrown)
  }
}

/**
 * Begins the span of one attempt; null while tracing is off. It begins a trace of its own, because a job
 * may run much later and several times, and is linked to the span that pushed the job.
 */
function beginJobSpan({ queue, id, attempt }: LeasedJob, origin: string | null): OpenSpan | null {
  if (Tracers.current === null) return null
  const cause = parseTraceContext(origin ?? undefined, undefined)
  const span = Tracers.current.root(`process ${queue}`, { kind: SpanKinds.Consumer, cause })
  return span.setAttributes({
    ...messagingAttributes(queue, 'process'),
    'messaging.message.id': id,
    'framework.job.attempt': attempt,
  })
}

async function run<Payload>(
  queue: Queue<Payload>,
  handler: JobHandler<Payload>,
  job: LeasedJob,
  opened: Opened<Payload>,
  context: RunContext,
): Promise<JobResult> {
  const { leases } = context
  const place = { queue, job, context }
  const lost = leases.hold(job)
  try {
    if (job.attempt > queue.options.attempts) return await giveUp(place)
    const failure = await attempt(queue, handler, job, opened, lost)
    if (failure === null) return await done(place)
    const { span } = CurrentWork.context()
    if (isSpan(span)) span.recordException(failure)
    return await failed(failure, place)
  } finally {
    leases.drop(job)
  }
}

/** Runs the handler; returns its error or null. */
async function attempt<Payload>(
  queue: Queue<Payload>,
  handler: JobHandler<Payload>,
  { id, attempt }: LeasedJob,
  opened: Opened<Payload>,
  lost: AbortSignal,
): Promise<Error | null> {
  if (opened instanceof Error) return opened
  const { payload } = opened
  const { attempts, timeout } = queue.options
  return runUntilEnd(
    (signal) => handler({ id, queue: queue.name, payload, attempt, attempts, signal }),
    lost,
    (end) => {
      const late = `a job of ${queue.name} took longer than ${timeout} s`
      const timer = setTimeout(() => end(new FrameworkError('E_JOB', late)), timeout * 1_000)
      return () => clearTimeout(timer)
    },
  )
}

function endJobSpan(span: OpenSpan, { outcome }: JobResult): void {
  span.setAttribute('framework.job.outcome', outcome)
  if (outcome === JobOutcomes.Failed || outcome === JobOutcomes.Dead) span.fail()
  span.end()
}

/** One attempt, whose outcome is stored. */
interface Attempt {
  readonly queue: Queue
  readonly job: LeasedJob
  readonly context: RunContext
}

async function done(one: Attempt): Promise<JobResult> {
  const stored = await record(one, () => one.queue.store.complete(one.job))
  return resultOf(one, stored ? JobOutcomes.Done : JobOutcomes.Lost, null)
}

async function failed(error: Error, one: Attempt): Promise<JobResult> {
  const { job, queue } = one
  const { store, options } = queue
  if (job.attempt >= options.attempts || error instanceof PermanentFailure) return bury(error, one)
  const reason = failureReason(error)
  const delay = backoffAfter(job.attempt, options)
  const stored = await record(one, () => store.release(job, delay, reason))
  if (!stored) return resultOf(one, JobOutcomes.Lost, reason)
  return resultOf(one, JobOutcomes.Failed, reason, delay)
}

/** For a job that crashes its worker every time. */
function giveUp(one: Attempt): Promise<JobResult> {
  const { name, options } = one.queue
  const reason = `its worker ended during each of its ${options.attempts} attempts`
  const error = new FrameworkError('E_JOB', `job ${one.job.id} of ${name} is dead: ${reason}`)
  return bury(error, one)
}

async function bury(error: Error, one: Attempt): Promise<JobResult> {
  const reason = failureReason(error)
  const stored = await record(one, () => one.queue.store.bury(one.job, reason))
  if (!stored) return resultOf(one, JobOutcomes.Lost, reason)
  one.context.throwables.notify(error, detailsOf(one))
  return resultOf(one, JobOutcomes.Dead, reason)
}

// If the result cannot be stored, the job just runs again; retrying avoids that for short outages.
async function record(one: Attempt, write: () => Promise<boolean>): Promise<boolean> {
  const { pause = sleep, throwables } = one.context
  for (let tried = 1; ; tried++) {
    try {
      return await write()
    } catch (thrown) {
      if (tried === maxWrites) {
        throwables.notify(thrown, detailsOf(one))
        return false
      }
      await pause(firstPauseMs * 2 ** (tried - 1))
    }
  }
}

function detailsOf({ queue, job }: Attempt): Readonly<Record<string, unknown>> {
  return { queue: queue.name, job: job.id, attempt: job.attempt }
}

function resultOf(
  { job: { id, attempt } }: Attempt,
  outcome: JobOutcomes,
  reason: string | null,
  delay = 0,
): JobResult {
  return { outcome, id, attempt, reason, delay }
}

/** Seconds to wait after a failed attempt, counted from 1: 10, 20, 40 and so on. */
export function backoffAfter(
  attempt: number,
  { backoff, maxBackoff }: Pick<CompleteQueueOptions, 'backoff' | 'maxBackoff'>,
): number {
  return Math.min(maxBackoff, backoff * 2 ** (attempt - 1))
}
