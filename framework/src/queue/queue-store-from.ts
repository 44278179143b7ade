import { ConfigurationError } from '../base/errors.ts'
import type { Surface } from '../database/surface.ts'
import { connectRedisJobs } from './redis/connect-redis-jobs.ts'
import type { RedisJobs } from './redis/redis-jobs.ts'
import type { QueueValues } from './queue-settings.ts'
import { SqlJobs } from './sql-jobs.ts'

/** Where jobs can be stored. */
export interface QueueStoreOptions {
  /** The application's database; it must contain the table created by `createJobsTable`. */
  readonly database: Surface
  /** The value of `REDIS_URL`; empty, null or omitted without Redis. */
  readonly redisUrl?: string | null
}

/**
 * Creates the job store that `QUEUE_DRIVER` selects. Return it from `services()`, so that the
 * connection to Redis is closed on shutdown.
 * @throws ConfigurationError when Redis is selected but not configured, RedisError when it
 * cannot be reached.
 */
export async function queueStoreFrom(
  { driver }: Pick<QueueValues, 'driver'>,
  { database, redisUrl }: QueueStoreOptions,
): Promise<SqlJobs | RedisJobs> {
  if (driver === 'database') return new SqlJobs(database)
  if (redisUrl !== undefined && redisUrl !== null && redisUrl !== '') {
    return connectRedisJobs(redisUrl)
  }
  throw new ConfigurationError(
    'E_QUEUE',
    'QUEUE_DRIVER is redis but REDIS_URL is not set; set it, or set QUEUE_DRIVER to database',
  )
}
