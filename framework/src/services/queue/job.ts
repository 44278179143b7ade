/** A job as its handler sees it. */
export interface Job<Payload> {
  readonly id: string
  readonly queue: string
  readonly payload: Payload
  /** Which attempt this is, from 1. */
  readonly attempt: number
  /** How many attempts there are. */
  readonly attempts: number
  /** Aborted when the job took too long, or when another worker may have taken it over. */
  readonly signal: AbortSignal
}

/**
 * Does a job: it is done when this resolves, and has failed when it throws. Jobs are done at least
 * once: one whose worker died is done again, so a handler has to bear that.
 */
export type JobHandler<Payload> = (job: Job<Payload>) => unknown
