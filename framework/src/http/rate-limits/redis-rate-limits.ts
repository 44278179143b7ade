import { FrameworkError } from '../../base/errors.ts'
import { RedisScript } from '../../redis/redis.ts'
import type { Redis } from '../../redis/redis.ts'
import { resultOf } from './counter.ts'
import type { RateRule, RateLimitResult } from './rate-limit-store.ts'
import { SharedRateLimits } from './shared-rate-limits.ts'
import type { SharedRateLimitsOptions } from './shared-rate-limits.ts'

/** Options of `RedisRateLimits`. */
export interface RedisRateLimitsOptions extends SharedRateLimitsOptions {
  /** Prefix of every key, after the prefix of the connection. @default 'rate-limit:' */
  readonly prefix?: string
}

/**
 * The arithmetic of `counter.ts`, atomically in Redis. A counter is a hash that Redis expires; the time
 * is that of the process, as in the other stores.
 */
const count = new RedisScript(`
local limit, window, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local isFixed = ARGV[4] == 'fixed'
local kept = redis.call('HMGET', KEYS[1], 'hits', 'earlier', 'ends')
local hits, earlier, ends = tonumber(kept[1]) or 0, tonumber(kept[2]) or 0, tonumber(kept[3]) or 0
if ends <= now then
  hits, earlier, ends = 0, 0, now + (isFixed and window or 2 * window)
elseif not isFixed and ends <= now + window then
  hits, earlier, ends = 0, hits, ends + window
end
local allowed = earlier * ((ends - window - now) / window) + hits < limit
local written = string.format('%.17g', ends)
if allowed then
  hits = hits + 1
  redis.call('HSET', KEYS[1], 'hits', hits, 'earlier', earlier, 'ends', written)
  redis.call('PEXPIRE', KEYS[1], math.ceil((ends - now) * 1000))
end
return { allowed and 1 or 0, hits, earlier, written }
`)

const uncount = new RedisScript(`
local kept = redis.call('HMGET', KEYS[1], 'hits', 'ends')
if (tonumber(kept[1]) or 0) > 0 and (tonumber(kept[2]) or 0) > tonumber(ARGV[1]) then
  return redis.call('HINCRBY', KEYS[1], 'hits', -1)
end
return 0
`)

/**
 * Counters in Redis, shared by all workers of all machines. While Redis is unreachable, each process
 * counts for itself.
 */
export class RedisRateLimits extends SharedRateLimits {
  readonly #redis: Redis
  readonly #prefix: string

  constructor(redis: Redis, options: RedisRateLimitsOptions = {}) {
    super(options)
    this.#redis = redis
    this.#prefix = redis.prefix + (options.prefix ?? 'rate-limit:')
  }

  protected override uncount(digest: string, now: number): Promise<unknown> {
    return this.#redis.run(uncount, [this.#prefix + digest], [now])
  }

  protected override async count(
    digest: string,
    rule: RateRule,
    now: number,
  ): Promise<RateLimitResult> {
    const { limit, window, algorithm } = rule
    const parameters = [limit, window, now, algorithm]
    const reply = await this.#redis.run(count, [this.#prefix + digest], parameters)
    if (!Array.isArray(reply)) {
      const reason = `${this.#redis.label} did not reply to the rate limit script with a list`
      throw new FrameworkError('E_REDIS', reason)
    }
    const [allowed = 0, hits = 0, earlier = 0, ends = 0] = reply.map(Number)
    return resultOf({ hits, earlier, ends, allowed: allowed === 1 }, rule, now)
  }
}
