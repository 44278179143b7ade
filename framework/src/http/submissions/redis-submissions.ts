import { RedisScript } from '../../redis/redis.ts'
import type { Redis } from '../../redis/redis.ts'
import type {
  SubmissionClaim,
  SubmissionProgress,
  SubmissionSlot,
  SubmissionStore,
  SubmissionTimes,
} from './submission-store.ts'

/** Options of `RedisSubmissions`. */
export interface RedisSubmissionsOptions {
  /**
   * Prefix of every key, after the prefix of the connection.
   * @default 'submissions:'
   */
  readonly prefix?: string
}

// A slot is a hash that Redis expires.

const take = new RedisScript(`
local digest, claim, seconds = ARGV[1], ARGV[2], ARGV[3]
if redis.call('HGET', KEYS[1], 'digest') == digest then return 0 end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'digest', digest, 'claim', claim, 'sealed', '')
redis.call('EXPIRE', KEYS[1], seconds)
return 1
`)

const record = new RedisScript(`
if redis.call('HGET', KEYS[1], 'claim') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'sealed', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
`)

const release = new RedisScript(`
if redis.call('HGET', KEYS[1], 'claim') ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`)

/** Submissions in Redis, shared by all machines. */
export class RedisSubmissions implements SubmissionStore {
  readonly #redis: Redis
  readonly #prefix: string

  constructor(redis: Redis, { prefix = 'submissions:' }: RedisSubmissionsOptions = {}) {
    this.#redis = redis
    this.#prefix = redis.prefix + prefix
  }

  async take(
    { slot, digest }: SubmissionSlot,
    claim: string,
    { now, expires }: SubmissionTimes,
  ): Promise<boolean> {
    const parameters = [digest, claim, expires - now]
    return (await this.#redis.run(take, [this.#prefix + slot], parameters)) === 1
  }

  async look({ slot, digest }: SubmissionSlot): Promise<SubmissionProgress> {
    const reply = await this.#redis.call('HMGET', this.#prefix + slot, 'digest', 'sealed')
    const [kept, sealed]: readonly unknown[] = Array.isArray(reply) ? reply : []
    if (kept !== digest || typeof sealed !== 'string') return null
    return sealed === '' ? 'pending' : { sealed }
  }

  async record(
    { slot, claim }: SubmissionClaim,
    sealed: string,
    times: SubmissionTimes,
  ): Promise<void> {
    const seconds = times.expires - times.now
    await this.#redis.run(record, [this.#prefix + slot], [claim, sealed, seconds])
  }

  async release({ slot, claim }: SubmissionClaim): Promise<void> {
    await this.#redis.run(release, [this.#prefix + slot], [claim])
  }

  /** Does nothing: Redis expires the keys itself. */
  async sweep(): Promise<number> {
    return 0
  }
}
