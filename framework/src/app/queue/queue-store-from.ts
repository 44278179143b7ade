import { ConfigurationError } from '../../base/errors.ts'
import type { Surface } from '../../data/database/surface.ts'
import { connectRedisJobs } from '../../services/queue/connect-redis-jobs.ts'
import type { RedisJobs } from '../../services/queue/redis-jobs.ts'
import type { QueueValues } from '../config/queue-scope.ts'
import { SqlJobs } from './sql-jobs.ts'

/** The databases that jobs can be stored in. */
export interface QueueStoreOptions {
  /** The database of the application, with the table of `createJobsTable`. */
  readonly database: Surface
  /** The value of `REDIS_URL`; empty when there is no Redis. */
  readonly redisUrl?: string | null
}

/**
 * The store selected by `QUEUE_DRIVER`. Return it from `services()`, so that a Redis store is
 * closed.
 * @throws ConfigurationError when Redis is selected but not configured, RedisError when it is down.
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
