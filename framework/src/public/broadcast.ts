export {
  broadcastFrom,
  broadcastScope,
  type BroadcastScope,
} from '../broadcast/broadcast-settings.ts'
export { createBroadcastsTable, SqlLog } from '../broadcast/sql-log.ts'
export { Broadcast } from '../broadcast/broadcast.ts'
export type {
  BroadcastEntry,
  NewEntry,
  BroadcastLog,
  LogFollower,
} from '../broadcast/broadcast-log.ts'
export type { BroadcastEvent } from '../broadcast/broadcast-event.ts'
export { connectRedisLog, RedisLog } from '../broadcast/redis-log.ts'
export { MemoryLog } from '../broadcast/memory-log.ts'
export type { Position } from '../broadcast/position.ts'
