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
