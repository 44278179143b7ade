/** A job to be stored. */
export interface NewJob {
  /** The encrypted payload. */
  readonly payload: Uint8Array
  /** Seconds before it may be claimed. */
  readonly delay: number
  /** The digest of its idempotency key, 64 hexadecimal digits; null for a job without one. */
  readonly digest: string | null
  /** Seconds for which its key is remembered after the job is done. */
  readonly remember: number
}

/** The exclusive right to run a job. Unless renewed in time it expires, and another worker gets it. */
export interface Lease {
  readonly queue: string
  readonly id: string
  readonly token: string
}

/** A claimed job. */
export interface LeasedJob extends Lease {
  readonly payload: Uint8Array
  /** Number of this attempt, from 1. An attempt counts as soon as it starts. */
  readonly attempt: number
}

/** Number of jobs of a queue by state. */
export interface QueueCounts {
  /** Can be claimed now. */
  readonly waiting: number
  /** Due later: pushed with a delay, or waiting for a retry. */
  readonly delayed: number
  readonly running: number
  /** Failed for good; only `retry` brings them back. */
  readonly dead: number
  /** Seconds that the oldest waiting job has been due; 0 when none is waiting. */
  readonly age: number
  /** Whether no job is claimed until `resume`. */
  readonly paused: boolean
}

/** The jobs that can be listed; `waiting` includes the delayed ones. */
export const ListedStates = ['dead', 'waiting', 'running'] as const
export type ListedStates = (typeof ListedStates)[number]

/** A job without its payload. Times are epoch seconds. */
export interface ListedJob {
  readonly id: string
  /** How many attempts have begun. */
  readonly attempts: number
  /** Class and code of the last failure; null if there was none, or if the store kept only those of dead jobs. */
  readonly reason: string | null
  readonly added: number
  /** When it is due, or when it died; null while it runs. */
  readonly at: number | null
  /** Size of the encrypted payload. */
  readonly bytes: number
}

/**
 * Stores the jobs of queues. Every state change is atomic: when several processes claim at once, each
 * job goes to one of them. An expired lease has no effect. Times are in seconds.
 */
export interface JobStore {
  /** Adds a job. Returns false and adds nothing when its key is known and that job is not dead. */
  add(queue: string, job: NewJob): Promise<boolean>
  /** Leases up to `limit` jobs of a queue that is not paused for `visibility` seconds, longest waiting first. */
  claim(queue: string, limit: number, visibility: number): Promise<readonly LeasedJob[]>
  /** Renews a lease, counted from now; false when it was lost. */
  extend(lease: Lease, visibility: number): Promise<boolean>
  /** Completes a job and wipes its payload; false when the lease was lost. */
  complete(lease: Lease): Promise<boolean>
  /** Returns a job to the queue, to be claimed again after `delay`; false when the lease was lost. */
  release(lease: Lease, delay: number, reason: string): Promise<boolean>
  /** Marks a job as dead; false when the lease was lost. */
  bury(lease: Lease, reason: string): Promise<boolean>
  counts(queue: string): Promise<QueueCounts>
  /** A part of the jobs in a state, newest first. */
  list(
    queue: string,
    state: ListedStates,
    part: { readonly offset: number; readonly limit: number },
  ): Promise<readonly ListedJob[]>
  /** Makes every dead job waiting again, or only one, and returns their number. */
  retry(queue: string, id?: string): Promise<number>
  /** Drops every job that is not running, including dead ones, or only one, and returns their number. */
  clear(queue: string, id?: string): Promise<number>
  /** Lets nobody claim jobs until `resume`; jobs are still added, and running ones end. */
  pause(queue: string): Promise<void>
  resume(queue: string): Promise<void>
  /** Forgets the keys of jobs that were done more than `remember` seconds ago. */
  sweep(queue: string, remember: number): Promise<void>
  /** Names of the queues that have jobs or are paused. */
  names(): Promise<readonly string[]>
}
