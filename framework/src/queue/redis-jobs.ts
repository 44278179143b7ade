import { loadOptional } from '../base/load-optional.ts'
import { parseRedisUrl } from '../redis/redis-url.ts'
import type { JobStore } from './job-store.ts'

/** Jobs in Redis, managed by BullMQ; created by `connectRedisJobs(url)`. */
export interface RedisJobs extends JobStore {
  /** The URL of the server without user and password. */
  readonly label: string
  /** Resolves when the server responds. Meant for `ready('queue', () => jobs.ping())`. */
  ping(): Promise<void>
  /** Closes the connections. Running jobs become available to others when their leases expire. */
  close(): Promise<void>
}

/**
 * Connects to the Redis for jobs, with a URL such as `redis://:password@localhost:6379/0`. Loads the
 * packages `bullmq` and `ioredis`. Close it at the end.
 * @throws ConfigurationError for an invalid URL or a package that is not installed;
 *   RedisError E_REDIS_LOST when the server does not respond.
 */
export async function connectRedisJobs(url: string): Promise<RedisJobs> {
  const settings = parseRedisUrl(url)
  const { openBullmqJobs } = await loadBullmq(() => import('./bullmq-jobs.ts'))
  return openBullmqJobs(settings)
}

/**
 * Loads a module that needs BullMQ, which the project installs itself.
 * @throws ConfigurationError E_QUEUE that says what to install.
 */
export function loadBullmq<Module>(load: () => Promise<Module>): Promise<Module> {
  const message =
    'jobs in Redis need the packages bullmq and ioredis; install them with: npm install bullmq ioredis'
  return loadOptional({ names: ['bullmq', 'ioredis'], code: 'E_QUEUE', message }, load)
}
