export { sessionScope, type SessionValues } from '../http/session/session-settings.ts'
export { MemorySessions } from '../http/session/memory-sessions.ts'
export { RedisSessions } from '../http/session/redis-sessions.ts'
export { SessionKeys } from '../http/session/session-keys.ts'
export type {
  ListedSession,
  SessionRow,
  SessionStore,
  SessionUse,
  StoredSession,
} from '../http/session/session-store.ts'
export type { Session, SessionConfirmation } from '../http/session/session.ts'
export { createSessionsTable, createSubmissionsTable } from '../http/session/sql-sessions.ts'
export { Sessions, type SessionsOptions, type SessionSummary } from '../http/session/sessions.ts'
export { SqlSessions } from '../http/session/sql-sessions.ts'
