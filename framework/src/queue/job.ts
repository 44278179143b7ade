import { FrameworkError } from '../base/errors.ts'
import { maskText } from '../base/mask-text.ts'
import { toError } from '../base/to-error.ts'
import { event } from '../events/emitter.ts'
import type { Event } from '../events/emitter.ts'
import { Activity, ActivityKinds } from '../activity/activity.ts'
import type { LeasedJob } from './job-store.ts'
import { className } from '../errors/reports/class-name.ts'

/** A job as passed to its handler. */
export interface Job<Payload> {
  readonly id: string
  readonly queue: string
  readonly payload: Payload
  /** Number of this attempt, from 1. */
  readonly attempt: number
  /** Maximum number of attempts. */
  readonly attempts: number
  /** Aborts when the job takes too long, or when another worker may have taken it over. */
  readonly signal: AbortSignal
}

/**
 * Runs a job. The job is done when this resolves and has failed when it throws. Delivery is at least
 * once: a job whose worker died runs again, so handlers must be idempotent.
 */
export type JobHandler<Payload> = (job: Job<Payload>) => unknown

/** Thrown by a handler when a retry is pointless: the job is dead immediately. */
export class PermanentFailure extends FrameworkError {
  constructor(message: string, options?: ErrorOptions) {
    super('E_JOB', message, options)
  }
}

/** Outcomes of an attempt. */
export const JobOutcomes = {
  Done: 'done',
  /** It failed and will be retried. */
  Failed: 'failed',
  /** It failed for good. */
  Dead: 'dead',
  /** The lease expired before the result was stored; another worker may run the job. */
  Lost: 'lost',
} as const
Object.freeze(JobOutcomes)
export type JobOutcomes = (typeof JobOutcomes)[keyof typeof JobOutcomes]

/** The result of one attempt, without any part of the payload. */
export interface JobResult {
  readonly outcome: JobOutcomes
  readonly id: string
  readonly attempt: number
  /** Class and code of the error; null for a job that is done. */
  readonly reason: string | null
  /** Seconds until the next attempt of a failed job; else 0. */
  readonly delay: number
}

/** One attempt of a job. */
export class JobActivity extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Job
  readonly id: string
  readonly title: string
  readonly account = null
  readonly attempt: number

  constructor({ queue, id, attempt }: LeasedJob) {
    super()
    this.id = id
    this.title = queue
    this.attempt = attempt
  }
}

/**
 * Emitted on `Emitter.Instance` around every attempt of a job: `Began` before its context is entered,
 * `Ended` when its outcome is stored.
 */
export const JobEvents: {
  readonly Began: Event<[activity: JobActivity]>
  readonly Ended: Event<[activity: JobActivity, result: JobResult]>
} = Object.freeze({
  Began: event<[activity: JobActivity]>('job.began'),
  Ended: event<[activity: JobActivity, result: JobResult]>('job.ended'),
})

/** Emitted on `Emitter.Instance` when a job was added, with its payload; for tests only. */
export const JobPushed: Event<[queue: string, payload: unknown]> = event('job.pushed')

const maxLength = 120

/**
 * Why a job failed, in a form that may be stored: the class and code of the error. Never its message,
 * which may contain parts of the encrypted payload.
 */
export function failureReason(error: Error): string {
  const code = 'code' in error ? error.code : undefined
  const known = typeof code === 'string' || typeof code === 'number' ? ` ${code}` : ''
  return maskText(`${className(error)}${known}`)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, maxLength)
}

/**
 * Runs code with a signal that aborts when its lease is lost or when it is ended: `begin` gets what ends
 * it, with an error, and returns what takes that back. Resolves with its error, or null.
 */
export async function runUntilEnd(
  work: (signal: AbortSignal) => unknown,
  lost: AbortSignal,
  begin: (end: (error: Error) => void) => () => void,
): Promise<Error | null> {
  const over = Promise.withResolvers<never>()
  const ending = new AbortController()
  // Nobody may be waiting for it.
  over.promise.catch(() => {})
  const release = begin((error) => {
    ending.abort(error)
    over.reject(error)
  })
  try {
    // In a promise: it may throw before it returns one.
    const working = Promise.resolve(AbortSignal.any([lost, ending.signal])).then(work)
    await Promise.race([working, over.promise])
    return null
  } catch (thrown) {
    return toError(thrown)
  } finally {
    release()
  }
}
