import { ConfigurationError } from '../base/errors.ts'
import { env } from '../settings/env.ts'
import { scope } from '../settings/scope.ts'
import type { ConfigScope, ValuesOf } from '../settings/scope.ts'
import type { Variable } from '../settings/variable.ts'
import type { Database } from '../database/surface.ts'
import type { ChannelMap } from './broadcast-event.ts'
import { Broadcast } from './broadcast.ts'
import { connectRedisLog } from './redis-log.ts'
import { SqlLog } from './sql-log.ts'

/** The values of the scope `broadcast`, which `broadcastFrom()` takes. */
export type BroadcastValues = ValuesOf<typeof broadcastScope>

/** The scope `broadcast`: how events reach other processes, and how long they can be fetched again. */
export const broadcastScope: ConfigScope<{
  readonly driver: Variable<'memory' | 'database' | 'redis'>
  readonly maxEvents: Variable<number>
  readonly maxAge: Variable<number>
}> = scope('broadcast', {
  driver: env.choice('BROADCAST_DRIVER', ['memory', 'database', 'redis'], {
    default: 'memory',
    meaning: 'how events reach others: all workers of this server, or all machines',
  }),
  maxEvents: env.integer('BROADCAST_EVENTS', {
    default: 10_000,
    min: 1,
    max: 1_000_000,
    meaning: 'events that are kept for clients that reconnect',
  }),
  maxAge: env.seconds('BROADCAST_AGE', {
    default: 300,
    min: 1,
    max: 86_400,
    meaning: 'seconds for which they are kept',
  }),
})

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
