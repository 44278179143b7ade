import { ConfigurationError } from '../base/errors.ts'
import { env } from '../settings/env.ts'
import { scope } from '../settings/scope.ts'
import type { ConfigScope, ValuesOf } from '../settings/scope.ts'
import type { Variable } from '../settings/variable.ts'
import type { Surface } from '../database/surface.ts'
import { SqlJobs } from './sql-jobs.ts'
import { loadOptional } from '../base/load-optional.ts'
import { parseRedisUrl } from '../redis/redis-url.ts'
import type { JobStore } from './job-store.ts'

/** The values of the scope `queue`; `new Queue` takes them as options. */
export type QueueValues = ValuesOf<typeof queueScope>

/** The scope `queue`: where jobs are stored and how often they are tried. */
export const queueScope: ConfigScope<{
  readonly driver: Variable<'database' | 'redis'>
  readonly attempts: Variable<number>
  readonly backoff: Variable<number>
  readonly visibility: Variable<number>
  readonly timeout: Variable<number>
}> = scope('queue', {
  driver: env.choice('QUEUE_DRIVER', ['database', 'redis'], {
    default: 'database',
    meaning: 'where jobs are stored: a table of the database, or Redis',
  }),
  attempts: env.integer('QUEUE_ATTEMPTS', {
    default: 3,
    min: 1,
    max: 1_000,
    meaning: 'attempts before a job counts as dead',
  }),
  backoff: env.seconds('QUEUE_BACKOFF', {
    default: 10,
    max: 86_400,
    meaning: 'seconds before the second attempt; doubled for each further one',
  }),
  visibility: env.seconds('QUEUE_VISIBILITY', {
    default: 60,
    min: 1,
    max: 86_400,
    meaning: 'seconds after which the jobs of a dead worker go to another one',
  }),
  timeout: env.seconds('QUEUE_TIMEOUT', {
    default: 900,
    min: 1,
    max: 86_400,
    meaning: 'seconds that one attempt may take',
  }),
})

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
