export type { CookiePrefix } from '../app/config/cookie-name.ts'
export { sessionScope, type SessionScope, type SessionValues } from '../app/config/session-scope.ts'
export type { GuestLimitOptions } from '../web/session/guest-limit.ts'
export { MemorySessions } from '../web/session/memory-sessions.ts'
export { RedisSessions, type RedisSessionsOptions } from '../web/session/redis-sessions.ts'
export type { SessionCookieOptions } from '../web/session/session-cookie.ts'
export { SessionKeys } from '../web/session/session-keys.ts'
export type {
  ListedSession,
  SessionRow,
  SessionStore,
  SessionUse,
  StoredSession,
} from '../web/session/session-store.ts'
export type { Session, SessionConfirmation } from '../web/session/session.ts'
export { createSessionsTable } from '../web/session/sessions-table.ts'
export { Sessions, type SessionsOptions, type SessionSummary } from '../web/session/sessions.ts'
export { SqlSessions, type SqlSessionsOptions } from '../web/session/sql-sessions.ts'
export { MemorySubmissions } from '../web/submissions/memory-submissions.ts'
export {
  RedisSubmissions,
  type RedisSubmissionsOptions,
} from '../web/submissions/redis-submissions.ts'
export { SqlSubmissions, type SqlSubmissionsOptions } from '../web/submissions/sql-submissions.ts'
export type {
  SubmissionClaim,
  SubmissionProgress,
  SubmissionPlace,
  SubmissionStore,
  SubmissionTimes,
} from '../web/submissions/submission-store.ts'
export { createSubmissionsTable } from '../web/submissions/submissions-table.ts'
