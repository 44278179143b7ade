import { setTimeout as sleep } from 'node:timers/promises'
import { FrameworkError } from '../base/errors.ts'
import { toError } from '../base/to-error.ts'
import type { Throwables } from '../errors/throwables/throwables.ts'
import { Emitter } from '../events/emitter.ts'
import { CurrentWork } from '../activity/current-work.ts'
import { messagingAttributes } from '../tracing/messaging-attributes.ts'
import { isSpan, SpanKinds } from '../tracing/span.ts'
import { parseTraceContext } from '../tracing/trace-context.ts'
import { Tracers } from '../tracing/tracer.ts'
import type { OpenSpan } from '../tracing/tracer.ts'
import { failureReason } from './failure-reason.ts'
import type { LeasedJob } from './job-store.ts'
import { JobOutcomes, JobActivity, JobEvents, PermanentFailure } from './job.ts'
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
  const outcome = new Run(queue, job, context)
  const lost = context.leases.hold(job)
  try {
    if (job.attempt > queue.options.attempts) return await outcome.giveUp()
    const failure = await attempt(queue, handler, job, opened, lost)
    if (failure === null) return await outcome.done()
    const { span } = CurrentWork.context()
    if (isSpan(span)) span.recordException(failure)
    return await outcome.failed(failure)
  } finally {
    context.leases.drop(job)
  }
}

/** Runs the handler; returns its error or null. */
async function attempt<Payload>(
  queue: Queue<Payload>,
  handler: JobHandler<Payload>,
  leased: LeasedJob,
  opened: Opened<Payload>,
  lost: AbortSignal,
): Promise<Error | null> {
  const { attempts, timeout } = queue.options
  const late = new AbortController()
  const overdue = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new FrameworkError(
      'E_JOB',
      `a job of ${queue.name} took longer than ${timeout} s`,
    )
    late.abort(error)
    overdue.reject(error)
  }, timeout * 1_000)
  try {
    if (opened instanceof Error) return opened
    const { id, attempt } = leased
    const { payload } = opened
    const signal = AbortSignal.any([lost, late.signal])
    const work = handler({ id, queue: queue.name, payload, attempt, attempts, signal })
    await Promise.race([work, overdue.promise])
    return null
  } catch (thrown) {
    return toError(thrown)
  } finally {
    clearTimeout(timer)
  }
}

function endJobSpan(span: OpenSpan, { outcome }: JobResult): void {
  span.setAttribute('framework.job.outcome', outcome)
  if (outcome === JobOutcomes.Failed || outcome === JobOutcomes.Dead) span.fail()
  span.end()
}

/** Stores the outcome of one attempt. */
class Run {
  readonly #queue: Queue
  readonly #job: LeasedJob
  readonly #context: RunContext

  constructor(queue: Queue, job: LeasedJob, context: RunContext) {
    this.#queue = queue
    this.#job = job
    this.#context = context
  }

  async done(): Promise<JobResult> {
    const { store } = this.#queue
    const stored = await this.#record(() => store.complete(this.#job))
    return this.#result(stored ? JobOutcomes.Done : JobOutcomes.Lost, null)
  }

  async failed(error: Error): Promise<JobResult> {
    const { store, options } = this.#queue
    const { attempt } = this.#job
    if (attempt >= options.attempts || error instanceof PermanentFailure) return this.#bury(error)
    const reason = failureReason(error)
    const delay = backoffAfter(attempt, options)
    const stored = await this.#record(() => store.release(this.#job, delay, reason))
    if (!stored) return this.#result(JobOutcomes.Lost, reason)
    return this.#result(JobOutcomes.Failed, reason, delay)
  }

  /** For a job that crashes its worker every time. */
  giveUp(): Promise<JobResult> {
    const { name, options } = this.#queue
    const reason = `its worker ended during each of its ${options.attempts} attempts`
    return this.#bury(
      new FrameworkError('E_JOB', `job ${this.#job.id} of ${name} is dead: ${reason}`),
    )
  }

  async #bury(error: Error): Promise<JobResult> {
    const { store } = this.#queue
    const reason = failureReason(error)
    const stored = await this.#record(() => store.bury(this.#job, reason))
    if (!stored) return this.#result(JobOutcomes.Lost, reason)
    this.#context.throwables.notify(error, this.#details())
    return this.#result(JobOutcomes.Dead, reason)
  }

  // If the result cannot be stored, the job just runs again; retrying avoids that for short outages.
  async #record(write: () => Promise<boolean>): Promise<boolean> {
    const { pause = sleep, throwables } = this.#context
    for (let tried = 1; ; tried++) {
      try {
        return await write()
      } catch (thrown) {
        if (tried === maxWrites) {
          throwables.notify(thrown, this.#details())
          return false
        }
        await pause(firstPauseMs * 2 ** (tried - 1))
      }
    }
  }

  #details(): Readonly<Record<string, unknown>> {
    const { id, attempt } = this.#job
    return { queue: this.#queue.name, job: id, attempt }
  }

  #result(outcome: JobOutcomes, reason: string | null, delay = 0): JobResult {
    const { id, attempt } = this.#job
    return { outcome, id, attempt, reason, delay }
  }
}

/** Seconds to wait after a failed attempt, counted from 1: 10, 20, 40 and so on. */
export function backoffAfter(
  attempt: number,
  { backoff, maxBackoff }: Pick<CompleteQueueOptions, 'backoff' | 'maxBackoff'>,
): number {
  return Math.min(maxBackoff, backoff * 2 ** (attempt - 1))
}
