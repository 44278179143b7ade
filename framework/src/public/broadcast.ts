export { broadcastFrom, type BroadcastSources } from '../broadcast/broadcast-from.ts'
export { createBroadcastsTable } from '../broadcast/broadcasts-table.ts'
export { SqlLog, type SqlLogOptions } from '../broadcast/sql-log.ts'
export {
  broadcastScope,
  type BroadcastScope,
  type BroadcastValues,
} from '../broadcast/broadcast-settings.ts'
export { Broadcast, type BroadcastOptions, type SubscribeOptions } from '../broadcast/broadcast.ts'
export type { BroadcastEntry, NewEntry } from '../broadcast/broadcast-entry.ts'
export type { BroadcastEvent, ChannelMap, EventsOf } from '../broadcast/broadcast-event.ts'
export type { BroadcastLog, LogFollower } from '../broadcast/broadcast-log.ts'
export { connectRedisLog, type ConnectRedisLogOptions } from '../broadcast/connect-redis-log.ts'
export type { Feed, FeedSink, FeedSubscription } from '../broadcast/feed.ts'
export type { HistoryLimits } from '../broadcast/history.ts'
export { MemoryLog } from '../broadcast/memory-log.ts'
export type { Position } from '../broadcast/position.ts'
export { RedisLog, type RedisLogOptions } from '../broadcast/redis-log.ts'
