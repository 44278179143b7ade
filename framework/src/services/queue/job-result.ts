/** What became of an attempt. */
export const JobOutcomes = {
  Done: 'done',
  /** It failed and will be tried again. */
  Failed: 'failed',
  /** It failed for good. */
  Dead: 'dead',
  /** The lease ended before the result was stored: the job is another worker's. */
  Lost: 'lost',
} as const
Object.freeze(JobOutcomes)
export type JobOutcomes = (typeof JobOutcomes)[keyof typeof JobOutcomes]

/** One attempt, told to whoever watches. It holds nothing of the payload. */
export interface JobResult {
  readonly outcome: JobOutcomes
  readonly id: string
  readonly attempt: number
  /** Class and code of what went wrong; null for a job that was done. */
  readonly reason: string | null
  /** Seconds until the next attempt of a job that failed; else 0. */
  readonly delay: number
}
