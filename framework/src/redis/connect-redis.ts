import { loadOptional } from '../base/load-optional.ts'
import { parseRedisUrl } from './redis-url.ts'
import type { Redis } from './redis.ts'

/** Options of `connectRedis`. */
export interface ConnectRedisOptions {
  /**
   * Do not wait for the server, so that the application starts while Redis is down and works once it
   * is back. @default false
   */
  readonly lazy?: boolean
}

/**
 * Connects to Redis with a URL such as `redis://:password@localhost:6379/0`. Loads the package
 * `ioredis`.
 * @throws ConfigurationError for an invalid URL or when `ioredis` is not installed;
 *   RedisError E_REDIS_LOST when the server does not respond.
 */
export async function connectRedis(
  url: string,
  { lazy = false }: ConnectRedisOptions = {},
): Promise<Redis> {
  const settings = parseRedisUrl(url)
  const { openRedis } = await loadClient(() => import('./redis-connection.ts'))
  return openRedis(settings, lazy)
}

/**
 * Loads a module that needs the package `ioredis`, which the project installs itself.
 * @throws ConfigurationError E_REDIS_DRIVER that says what to install.
 */
export function loadClient<Module>(load: () => Promise<Module>): Promise<Module> {
  const message = 'Redis needs the package ioredis, which is not installed: npm install ioredis'
  return loadOptional({ names: ['ioredis'], code: 'E_REDIS_DRIVER', message }, load)
}
