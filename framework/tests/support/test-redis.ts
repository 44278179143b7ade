import { after, describe } from 'node:test'
import type { TestContext } from 'node:test'
import { connectRedis } from '../../src/redis/connect-redis.ts'
import type { Redis } from '../../src/redis/redis.ts'
import { withLongTimeouts } from './long-timeouts.ts'
import { startRedis } from './redis-server.ts'
import type { RedisServer } from './redis-server.ts'

/**
 * Connects to the Redis that all tests of a process share, with a unique prefix and
 * options such as `command_timeout=1`. It is closed after the test, or without one after the `describe`.
 */
export type OpenRedis = (t?: TestContext | null, options?: string) => Promise<Redis>

const found = await startRedis().catch((error: Error) => error)
after(() => (found instanceof Error ? undefined : found.stop()))

let prefixes = 0

/** A `describe` on a real Redis, skipped with the reason if there is none. */
export function onRedis(register: (open: OpenRedis, server: () => RedisServer) => void): void {
  describe('redis', { skip: found instanceof Error && found.message }, () => {
    const server = (): RedisServer => {
      if (found instanceof Error) throw found
      return found
    }
    const opened: Redis[] = []
    after(() => Promise.all(opened.map((redis) => redis.close())))
    register(async (t, options = '') => {
      const prefix = `test:${process.pid}:${(prefixes += 1)}:`
      const redis = await connectRedis(
        withLongTimeouts(`${server().url}?prefix=${prefix}&${options}`),
      )
      if (t === undefined || t === null) opened.push(redis)
      else t.after(() => redis.close())
      return redis
    }, server)
  })
}
