export { Authenticating } from '../accounts/guards/authenticating.ts'
export { Authentication } from '../accounts/guards/authentication.ts'
export { Remember } from '../accounts/devices/remember.ts'
export { SessionGuard } from '../accounts/guards/session-guard.ts'
export { Compression } from '../http/middlewares/compression.ts'
export { Cors } from '../http/middlewares/cors.ts'
export { Csrf } from '../http/middlewares/csrf.ts'
export { csrfToken } from '../http/middlewares/csrf-token.ts'
export { Forms } from '../http/middlewares/forms.ts'
export { RateLimit, type RateLimitOptions } from '../http/middlewares/rate-limit.ts'
export { RequestIds } from '../http/middlewares/request-ids.ts'
export { SecureHeaders } from '../http/middlewares/secure-headers.ts'
export { Statics } from '../http/middlewares/statics.ts'
export { defaultStack } from '../project/default-stack.ts'
export { AccountLimit, type AccountLane } from '../http/rate-limits/account-limit.ts'
export { MemoryRateLimits } from '../http/rate-limits/memory-rate-limits.ts'
export { peerKey } from '../base/network.ts'
export { fieldKey, type RateKey } from '../http/middlewares/rate-limit.ts'
export {
  RateAlgorithms,
  type RateLimitStore,
  type RateRule,
  type RateLimitStatus,
  type RateLimitResult,
} from '../http/rate-limits/rate-limit-store.ts'
export { createRateLimitsTable } from '../http/rate-limits/sql-rate-limits.ts'
export { RedisRateLimits } from '../http/rate-limits/redis-rate-limits.ts'
export { SqlRateLimits } from '../http/rate-limits/sql-rate-limits.ts'
export { Submissions } from '../http/submissions/submissions.ts'
