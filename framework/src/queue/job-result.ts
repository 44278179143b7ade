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
