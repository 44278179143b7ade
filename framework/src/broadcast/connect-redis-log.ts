import { connectRedis } from '../redis/connect-redis.ts'
import { parseRedisUrl } from '../redis/redis-url.ts'
import { RedisLog } from './redis-log.ts'
import type { RedisLogOptions } from './redis-log.ts'

const maxWait = 2

/** Options of `connectRedisLog`. */
export interface ConnectRedisLogOptions extends Omit<RedisLogOptions, 'reader' | 'wait'> {
  /** Do not wait for the server, so that the application starts while Redis is down. @default false */
  readonly lazy?: boolean
}

/**
 * Connects a log to Redis, with a URL such as `redis://:password@localhost:6379/0` and two connections of
 * its own. Loads the package `ioredis`.
 * @throws ConfigurationError for an invalid URL or when `ioredis` is not installed; RedisError
 *   E_REDIS_LOST when the server does not respond.
 */
export async function connectRedisLog(
  url: string,
  { lazy = false, ...options }: ConnectRedisLogOptions = {},
): Promise<RedisLog> {
  const wait = Math.min(maxWait, parseRedisUrl(url).commandTimeout / 2)
  const redis = await connectRedis(url, { lazy })
  try {
    return new RedisLog(redis, { ...options, reader: await connectRedis(url, { lazy }), wait })
  } catch (error) {
    await redis.close()
    throw error
  }
}
