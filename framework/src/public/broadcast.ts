export { broadcastFrom, broadcastScope } from '../broadcast/broadcast-settings.ts'
export { createBroadcastsTable } from '../broadcast/sql-log.ts'
export { Broadcast } from '../broadcast/broadcast.ts'
export type {
  BroadcastEntry,
  NewEntry,
  BroadcastLog,
  LogFollower,
} from '../broadcast/broadcast-log.ts'
export type { BroadcastEvent } from '../broadcast/broadcast-event.ts'
export type { Position } from '../broadcast/position.ts'
