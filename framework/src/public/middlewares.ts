export { Authenticating } from '../web/guards/authenticating.ts'
export { Authentication } from '../web/guards/authentication.ts'
export { Remember } from '../web/guards/remember.ts'
export { SessionGuard } from '../web/guards/session-guard.ts'
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
export { Statics, type StaticsOptions } from '../web/middlewares/statics.ts'
export { defaultStack, type DefaultStackParts } from '../web/projects/default-stack.ts'
export {
  AccountLimit,
  type AccountLane,
  type AccountLimitOptions,
} from '../web/rate-limits/account-limit.ts'
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
  type RateLimitResult,
} from '../web/rate-limits/rate-limit-store.ts'
export { createRateLimitsTable } from '../web/rate-limits/rate-limits-table.ts'
export {
  RedisRateLimits,
  type RedisRateLimitsOptions,
} from '../web/rate-limits/redis-rate-limits.ts'
export { SqlRateLimits, type SqlRateLimitsOptions } from '../web/rate-limits/sql-rate-limits.ts'
export { Submissions, type SubmissionsOptions } from '../web/submissions/submissions.ts'
