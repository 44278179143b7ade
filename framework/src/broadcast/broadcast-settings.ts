import { env } from '../settings/env.ts'
import { scope } from '../settings/scope.ts'
import type { ConfigScope, ValuesOf } from '../settings/scope.ts'
import type { Variable } from '../settings/variable.ts'

/** The settings for the broadcast of a project. */
export type BroadcastScope = ConfigScope<{
  readonly driver: Variable<'memory' | 'database' | 'redis'>
  readonly maxEvents: Variable<number>
  readonly maxAge: Variable<number>
}>

/** The values of the scope `broadcast`, which `broadcastFrom()` takes. */
export type BroadcastValues = ValuesOf<BroadcastScope>

/** The scope `broadcast`: how events reach other processes, and how long they can be fetched again. */
export const broadcastScope: BroadcastScope = scope('broadcast', {
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
