import { ConfigurationError } from '../../base/errors.ts'
import { hasCode } from '../../base/files/has-code.ts'
import type { Redis } from './redis.ts'
import { parseRedisUrl } from './redis-url.ts'

/** How a connection to Redis begins. */
export interface ConnectRedisOptions {
  /**
   * Do not wait for the server: what starts while Redis is away still starts, and works once Redis
   * is back. False unless given.
   */
  readonly lazy?: boolean
}

/**
 * Connects to the Redis that a URL names, such as `redis://:password@localhost:6379/0`. The package
 * `ioredis` is loaded here and not before.
 * @throws ConfigurationError for a URL that cannot be used or when `ioredis` is not installed;
 *   RedisError E_REDIS_LOST when the server does not answer.
 */
export async function connectRedis(
  url: string,
  { lazy = false }: ConnectRedisOptions = {},
): Promise<Redis> {
  const settings = parseRedisUrl(url)
  const { openRedis } = await loadClient(() => import('./open-redis.ts'))
  return openRedis(settings, lazy)
}

/**
 * Loads what needs the package `ioredis`, which the project installs itself.
 * @throws ConfigurationError E_REDIS_DRIVER that says what to install.
 */
export async function loadClient<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new ConfigurationError(
      'E_REDIS_DRIVER',
      'Redis needs the package ioredis, which is not installed: npm install ioredis',
    )
  }
}

// A file of ours that is missing has the same code and is another defect.
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (!hasCode(error, 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND')) return false
  return error.message.includes("'ioredis'")
}
