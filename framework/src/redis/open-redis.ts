import { Redis as Client } from 'ioredis'
import { clientOptions } from './client-options.ts'
import { RedisConnection } from './redis-connection.ts'
import type { Redis } from './redis.ts'
import type { RedisSettings } from './redis-url.ts'

/**
 * Opens a connection, which reconnects by itself. Unless `isLazy`, it waits for the server, so that a
 * wrong URL is found immediately.
 * @throws RedisError E_REDIS_LOST when it is not lazy and the server does not respond.
 */
export async function openRedis(settings: RedisSettings, isLazy: boolean): Promise<Redis> {
  const connection = new RedisConnection(new Client(clientOptions(settings)), settings)
  // A little longer than the client's own timeout, whose error is more specific.
  const opening = connection.open(settings.connectTimeout + 1)
  try {
    if (isLazy) opening.catch(() => undefined)
    else await opening
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}
