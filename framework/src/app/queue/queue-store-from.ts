import { ConfigurationError } from '../../base/errors.ts'
import type { Surface } from '../../data/database/surface.ts'
import { connectRedisJobs } from '../../services/queue/connect-redis-jobs.ts'
import type { RedisJobs } from '../../services/queue/redis-jobs.ts'
import type { QueueValues } from '../config/queue-scope.ts'
import { SqlJobs } from './sql-jobs.ts'

/** What jobs can be kept in. */
export interface QueuePlace {
  /** The database of the application, with the table of `createJobsTable`. */
  readonly database: Surface
  /** The value of `REDIS_URL`; empty when there is no Redis. */
  readonly redisUrl?: string | null
}

/**
 * The store that `QUEUE_DRIVER` names. Give it back from `services()`: one in Redis is closed there.
 * @throws ConfigurationError when Redis is asked for and cannot be had; RedisError when it is away.
 */
export async function queueStoreFrom(
  { driver }: Pick<QueueValues, 'driver'>,
  { database, redisUrl }: QueuePlace,
): Promise<SqlJobs | RedisJobs> {
  if (driver === 'database') return new SqlJobs(database)
  if (redisUrl !== undefined && redisUrl !== null && redisUrl !== '') {
    return connectRedisJobs(redisUrl)
  }
  throw new ConfigurationError(
    'E_QUEUE',
    'QUEUE_DRIVER is redis and REDIS_URL is not set; name the server, or set QUEUE_DRIVER to database',
  )
}
