import { Redis as Client } from 'ioredis'
import { clientOptions } from './client-options.ts'
import { RedisConnection } from './redis-connection.ts'
import type { Redis } from './redis.ts'
import type { RedisSettings } from './redis-url.ts'

/**
 * Opens a connection. Unless it is `lazy` it waits for the server, so that a wrong URL is known at
 * once; afterwards, and if it is, the connection is made anew whenever it is missing.
 * @throws RedisError E_REDIS_LOST when the server is not there and should be.
 */
export async function openRedis(settings: RedisSettings, isLazy: boolean): Promise<Redis> {
  const connection = new RedisConnection(new Client(clientOptions(settings)), settings)
  // A little longer than the client's own timeout, whose error says more.
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
