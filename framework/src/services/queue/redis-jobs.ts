import type { JobStore } from './job-store.ts'

/** Jobs in Redis, kept by BullMQ; `connectRedisJobs(url)` makes one. */
export interface RedisJobs extends JobStore {
  /** The URL of the server without user and password. */
  readonly label: string
  /** Resolves when the server answers. Meant for `ready('queue', () => jobs.ping())`. */
  ping(): Promise<void>
  /** Gives the connections back. Jobs in hand go to others when their leases end. */
  close(): Promise<void>
}
