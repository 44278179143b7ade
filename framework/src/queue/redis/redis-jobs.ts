import type { JobStore } from '../job-store.ts'

/** Jobs in Redis, managed by BullMQ; created by `connectRedisJobs(url)`. */
export interface RedisJobs extends JobStore {
  /** The URL of the server without user and password. */
  readonly label: string
  /** Resolves when the server responds. Meant for `ready('queue', () => jobs.ping())`. */
  ping(): Promise<void>
  /** Closes the connections. Running jobs become available to others when their leases expire. */
  close(): Promise<void>
}
