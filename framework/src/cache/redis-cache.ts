import { RedisScript } from '../redis/redis.ts'
import type { Redis } from '../redis/redis.ts'
import type { CacheStore } from './cache-store.ts'

/** Options of `RedisCache`. */
export interface RedisCacheOptions {
  /** Prefix of every key, after the prefix of the connection. @default 'cache:' */
  readonly prefix?: string
}

/** A number without an expiry was created by this very step. */
const increment = new RedisScript(`
local reply = redis.pcall('INCRBY', KEYS[1], ARGV[1])
if type(reply) == 'table' and reply.err then
  if string.find(reply.err, 'not an integer', 1, true) then return false end
  return reply
end
if redis.call('PTTL', KEYS[1]) == -1 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return reply
`)

/** A cache in Redis, shared by all workers on all machines. Redis removes expired entries itself. */
export class RedisCache implements CacheStore {
  readonly #redis: Redis
  readonly #prefix: string

  constructor(redis: Redis, { prefix = 'cache:' }: RedisCacheOptions = {}) {
    this.#redis = redis
    this.#prefix = redis.prefix + prefix
  }

  async get(key: string): Promise<string | null> {
    const reply = await this.#redis.call('GET', this.#prefix + key)
    return typeof reply === 'string' ? reply : null
  }

  async set(key: string, text: string, ttl: number): Promise<void> {
    await this.#redis.call('SET', this.#prefix + key, text, 'EX', ttl)
  }

  async increment(key: string, by: number, ttl: number): Promise<number | null> {
    const reply = await this.#redis.run(increment, [this.#prefix + key], [by, ttl])
    return typeof reply === 'number' ? reply : null
  }

  async delete(key: string): Promise<void> {
    await this.#redis.call('DEL', this.#prefix + key)
  }
}
