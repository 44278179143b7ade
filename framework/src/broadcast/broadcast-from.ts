import { ConfigurationError } from '../base/errors.ts'
import type { Database } from '../database/surface.ts'
import { Broadcast } from './broadcast.ts'
import type { ChannelMap } from './broadcast-event.ts'
import { connectRedisLog } from './connect-redis-log.ts'
import type { BroadcastValues } from './broadcast-settings.ts'
import { SqlLog } from './sql-log.ts'

/** Where events can be kept. */
export interface BroadcastSources {
  /** The application's database; it must contain the table created by `createBroadcastsTable`. */
  readonly database?: Database
  /** The value of `REDIS_URL`; empty, null or omitted without Redis. */
  readonly redisUrl?: string | null
}

/**
 * Creates the broadcast that `BROADCAST_DRIVER` selects. Return it from `services()` behind the database,
 * so that it is closed before it.
 * @throws ConfigurationError when the selected driver is not configured, RedisError when Redis cannot be
 *   reached.
 */
export async function broadcastFrom<
  Channels extends { [C in keyof Channels]: object } = ChannelMap,
>(
  { driver, ...limits }: BroadcastValues,
  { database, redisUrl }: BroadcastSources = {},
): Promise<Broadcast<Channels>> {
  if (driver === 'memory') return new Broadcast(limits)
  if (driver === 'database') {
    if (database !== undefined) {
      return new Broadcast({ ...limits, log: new SqlLog(database, limits) })
    }
    throw new ConfigurationError(
      'E_BROADCAST',
      'BROADCAST_DRIVER is database but broadcastFrom() got none; pass { database }',
    )
  }
  if (redisUrl !== undefined && redisUrl !== null && redisUrl !== '') {
    return new Broadcast({ ...limits, log: await connectRedisLog(redisUrl, limits) })
  }
  throw new ConfigurationError(
    'E_BROADCAST',
    'BROADCAST_DRIVER is redis but REDIS_URL is not set; set it, or choose another driver',
  )
}
