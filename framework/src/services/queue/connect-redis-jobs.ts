import { ConfigurationError } from '../../base/errors.ts'
import { hasCode } from '../../base/files/has-code.ts'
import { parseRedisUrl } from '../redis/redis-url.ts'
import type { RedisJobs } from './redis-jobs.ts'

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
export async function loadBullmq<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new ConfigurationError(
      'E_QUEUE',
      'jobs in Redis need the packages bullmq and ioredis; install them with: npm install bullmq ioredis',
    )
  }
}

// A missing file of our own has the same code, but is another error.
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (!hasCode(error, 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND')) return false
  return error.message.includes("'bullmq'") || error.message.includes("'ioredis'")
}
