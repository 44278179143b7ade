export {
  broadcastFrom,
  broadcastScope,
  type BroadcastSources,
  type BroadcastScope,
  type BroadcastValues,
} from '../broadcast/broadcast-settings.ts'
export { createBroadcastsTable, SqlLog, type SqlLogOptions } from '../broadcast/sql-log.ts'
export { Broadcast, type BroadcastOptions, type SubscribeOptions } from '../broadcast/broadcast.ts'
export type {
  BroadcastEntry,
  NewEntry,
  BroadcastLog,
  LogFollower,
} from '../broadcast/broadcast-log.ts'
export type { BroadcastEvent, ChannelMap, EventsOf } from '../broadcast/broadcast-event.ts'
export {
  connectRedisLog,
  RedisLog,
  type ConnectRedisLogOptions,
  type RedisLogOptions,
} from '../broadcast/redis-log.ts'
export type { Feed, FeedSink, FeedSubscription } from '../broadcast/feed.ts'
export type { HistoryLimits } from '../broadcast/history.ts'
export { MemoryLog } from '../broadcast/memory-log.ts'
export type { Position } from '../broadcast/position.ts'
