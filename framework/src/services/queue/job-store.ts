/** A job on its way into a store. */
export interface NewJob {
  /** The encrypted payload. */
  readonly payload: Uint8Array
  /** Seconds before it may be taken. */
  readonly delay: number
  /** The digest of its idempotency key, 64 hexadecimal digits; null for a job without one. */
  readonly digest: string | null
  /** Seconds for which its key is known after the job was done. */
  readonly remember: number
}

/** The right to work on a job. It ends when it is not renewed in time, and another one is given. */
export interface Lease {
  readonly queue: string
  readonly id: string
  readonly token: string
}

/** A job as a store hands it out. */
export interface LeasedJob extends Lease {
  readonly payload: Uint8Array
  /** Which attempt this is, from 1. An attempt counts as soon as it begins. */
  readonly attempt: number
}

/** How many jobs a queue has in each state. */
export interface QueueCounts {
  /** Could be taken now. */
  readonly waiting: number
  /** Will be taken later: pushed with a delay, or failed and due again. */
  readonly delayed: number
  /** Are being worked on. */
  readonly running: number
  /** Failed too often; only `retry` brings them back. */
  readonly dead: number
  /** Seconds for which the first of the waiting jobs could have been taken; 0 when none waits. */
  readonly age: number
}

/**
 * Where queues keep their jobs. Every change of state is atomic: of any number of processes that
 * claim at once each job goes to one. A lease that was lost changes nothing any more. Times are seconds.
 */
export interface JobStore {
  /** Adds a job. False, and nothing is added, for a key that is known and whose job is not dead. */
  add(queue: string, job: NewJob): Promise<boolean>
  /** Leases at most `limit` jobs for `visibility` seconds, the ones that wait longest first. */
  claim(queue: string, limit: number, visibility: number): Promise<readonly LeasedJob[]>
  /** Renews a lease from now on; false when it was lost. */
  extend(lease: Lease, visibility: number): Promise<boolean>
  /** Ends a job that was done and wipes its payload; false when the lease was lost. */
  complete(lease: Lease): Promise<boolean>
  /** Gives a job back that may be taken again after `delay`; false when the lease was lost. */
  release(lease: Lease, delay: number, reason: string): Promise<boolean>
  /** Puts a job among the dead ones; false when the lease was lost. */
  bury(lease: Lease, reason: string): Promise<boolean>
  counts(queue: string): Promise<QueueCounts>
  /** Lets every dead job begin anew, and gives their number. */
  retry(queue: string): Promise<number>
  /** Drops every job that is not being worked on, the dead ones too, and gives their number. */
  clear(queue: string): Promise<number>
  /** Forgets keys of jobs that were done more than `remember` seconds ago. */
  sweep(queue: string, remember: number): Promise<void>
  /** Names of the queues that have jobs. */
  names(): Promise<readonly string[]>
}
