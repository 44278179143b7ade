export { Authenticating } from '../web/guards/authenticating.ts'
export { Authentication, type AuthenticationOptions } from '../web/guards/authentication.ts'
export type { Guard } from '../web/guards/guard.ts'
export {
  rememberPolicy,
  type RememberPolicy,
  type RememberPolicyOptions,
} from '../web/guards/remember-policy.ts'
export { Remember, type RememberOptions } from '../web/guards/remember.ts'
export type { LoadIdentity } from '../web/guards/request-identity.ts'
export { SessionGuard, type SessionGuardOptions } from '../web/guards/session-guard.ts'
export { SignIn, type EnterOptions, type SignInOptions } from '../web/guards/sign-in.ts'
export { Compression, type CompressionOptions } from '../web/middlewares/compression.ts'
export type { Encoding } from '../web/middlewares/accept-encoding.ts'
export { Cors, type CorsOptions } from '../web/middlewares/cors.ts'
export type { PolicyOption } from '../web/middlewares/content-security-policy.ts'
export { Csrf, type CsrfOptions } from '../web/middlewares/csrf.ts'
export { csrfToken } from '../web/middlewares/csrf-token.ts'
export { Forms } from '../web/middlewares/forms.ts'
export { RateLimit, type RateLimitOptions } from '../web/middlewares/rate-limit.ts'
export { RequestIds } from '../web/middlewares/request-ids.ts'
export { SecureHeaders, type SecureHeadersOptions } from '../web/middlewares/secure-headers.ts'
export { Sessions, type SessionsOptions, type SessionSummary } from '../web/session/sessions.ts'
export { Statics, type StaticsOptions } from '../web/middlewares/statics.ts'
export { defaultStack, type DefaultStackParts } from '../web/projects/default-stack.ts'
export {
  MemoryRateLimits,
  type MemoryRateLimitsOptions,
} from '../web/rate-limits/memory-rate-limits.ts'
export { peerKey } from '../web/rate-limits/peer-key.ts'
export { fieldKey, type RateKey } from '../web/rate-limits/rate-key.ts'
export {
  RateAlgorithms,
  type RateLimitStore,
  type RateRule,
  type RateLimitStatus,
  type RateVerdict,
} from '../web/rate-limits/rate-limit-store.ts'
export { createRateLimitsTable } from '../web/rate-limits/rate-limits-table.ts'
export {
  RedisRateLimits,
  type RedisRateLimitsOptions,
} from '../web/rate-limits/redis-rate-limits.ts'
export { SqlRateLimits, type SqlRateLimitsOptions } from '../web/rate-limits/sql-rate-limits.ts'
export { Submissions, type SubmissionsOptions } from '../web/submissions/submissions.ts'
export { MemorySessions } from '../web/session/memory-sessions.ts'
export { RedisSessions, type RedisSessionsOptions } from '../web/session/redis-sessions.ts'
export type { SessionCookieOptions } from '../web/session/session-cookie.ts'
export type {
  ListedSession,
  SessionRow,
  SessionStore,
  SessionUse,
  StoredSession,
} from '../web/session/session-store.ts'
export { SessionKeys } from '../web/session/session-keys.ts'
export type { Session, SessionConfirmation } from '../web/session/session.ts'
export { createSessionsTable } from '../web/session/sessions-table.ts'
export { SqlSessions, type SqlSessionsOptions } from '../web/session/sql-sessions.ts'
