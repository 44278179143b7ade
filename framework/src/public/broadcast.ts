export { broadcastFrom, type BroadcastSources } from '../app/broadcast/broadcast-from.ts'
export { createBroadcastsTable } from '../app/broadcast/broadcasts-table.ts'
export { SqlLog, type SqlLogOptions } from '../app/broadcast/sql-log.ts'
export {
  broadcastScope,
  type BroadcastScope,
  type BroadcastValues,
} from '../app/config/broadcast-scope.ts'
export {
  Broadcast,
  type BroadcastOptions,
  type SubscribeOptions,
} from '../services/broadcast/broadcast.ts'
export type { BroadcastEntry, NewEntry } from '../services/broadcast/broadcast-entry.ts'
export type { BroadcastEvent, ChannelMap, EventsOf } from '../services/broadcast/broadcast-event.ts'
export type { BroadcastLog, LogFollower } from '../services/broadcast/broadcast-log.ts'
export {
  connectRedisLog,
  type ConnectRedisLogOptions,
} from '../services/broadcast/connect-redis-log.ts'
export type { Feed, FeedSink, FeedSubscription } from '../services/broadcast/feed.ts'
export type { HistoryLimits } from '../services/broadcast/history.ts'
export { MemoryLog } from '../services/broadcast/memory-log.ts'
export type { Position } from '../services/broadcast/position.ts'
export { RedisLog, type RedisLogOptions } from '../services/broadcast/redis-log.ts'
