import { Throwables } from '../errors/throwables/throwables.ts'
import { connectRedis } from '../redis/connect-redis.ts'
import { parseRedisUrl } from '../redis/redis-url.ts'
import { RedisScript } from '../redis/redis.ts'
import type { Redis } from '../redis/redis.ts'
import type { BroadcastEntry, NewEntry } from './broadcast-log.ts'
import { FollowedLog } from './followed-log.ts'
import { formatPosition, origin, parsePosition } from './position.ts'
import type { Position } from './position.ts'

/** Options of `RedisLog`. */
export interface RedisLogOptions {
  /** A connection for this log alone: it waits for the next event on it. */
  readonly reader: Redis
  /** Events that are kept in Redis. @default 10_000 */
  readonly maxEvents?: number
  /** Seconds that one wait takes; less than the command timeout. @default 2 */
  readonly wait?: number
  /** Receives one report per outage. */
  readonly throwables?: Throwables
}

// The ids of one epoch have no gap, so that a reader notices lost events. The epoch is that of the last
// entry; without one it is the time of the server.
const append = new RedisScript(`
local now = redis.call('TIME')
local ms = now[1] .. string.format('%03d', math.floor(now[2] / 1000))
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
local id = ms .. '-1'
if #last > 0 then
  local epoch, sequence = string.match(last[1][1], '^(%d+)-(%d+)$')
  id = epoch .. '-' .. string.format('%.0f', sequence + 1)
end
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], id,
  'channel', ARGV[2], 'name', ARGV[3], 'data', ARGV[4], 'at', ms)
return id`)

const pageSize = 1_000
const unblockMs = 50
const maxWait = 2

/** A log in a stream of Redis. */
export class RedisLog extends FollowedLog {
  readonly #redis: Redis
  readonly #reader: Redis
  readonly #key: string
  readonly #maxEvents: number
  readonly #waitMs: number
  #client: string | null = null

  constructor(redis: Redis, options: RedisLogOptions) {
    const { reader, maxEvents = 10_000, wait = 2, throwables = Throwables } = options
    super(throwables)
    this.#redis = redis
    this.#reader = reader
    this.#key = `${redis.prefix}broadcast`
    this.#maxEvents = maxEvents
    this.#waitMs = Math.ceil(wait * 1_000)
  }

  async append({ channel, name, data }: NewEntry): Promise<Position> {
    const values = [this.#maxEvents, channel, name, data]
    const id = await this.#redis.run(append, [this.#key], values)
    return parsePosition(String(id)) ?? origin
  }

  override async close(): Promise<void> {
    // Otherwise the wait would have to end first. It may be about to begin, so this is repeated.
    const timer = setInterval(() => void this.#endWait(), unblockMs)
    void this.#endWait()
    await super.close()
    clearInterval(timer)
    await Promise.all([this.#reader.close(), this.#redis.close()])
  }

  async #endWait(): Promise<void> {
    if (this.#client === null) return
    await this.#redis.call('CLIENT', 'UNBLOCK', this.#client).catch(() => {})
  }

  protected async page(after: Position): Promise<readonly BroadcastEntry[]> {
    const from = `(${formatPosition(after)}`
    return parseEntries(await this.#reader.call('XRANGE', this.#key, from, '+', 'COUNT', pageSize))
  }

  protected async next(after: Position): Promise<readonly BroadcastEntry[]> {
    const where = ['STREAMS', this.#key, formatPosition(after)]
    const options = ['COUNT', pageSize, 'BLOCK', this.#waitMs]
    try {
      this.#client ??= String(await this.#reader.call('CLIENT', 'ID'))
      return parseEntries(entriesOf(await this.#reader.call('XREAD', ...options, ...where)))
    } catch (error) {
      // The next connection is another client.
      this.#client = null
      throw error
    }
  }

  protected async last(): Promise<Position> {
    const reply = await this.#reader.call('XREVRANGE', this.#key, '+', '-', 'COUNT', 1)
    return parseEntries(reply)[0]?.position ?? origin
  }
}

/**
 * Connects a log to Redis, with a URL such as `redis://:password@localhost:6379/0` and two connections of
 * its own. Loads the package `ioredis`.
 * @throws ConfigurationError for an invalid URL or when `ioredis` is not installed; RedisError
 *   E_REDIS_LOST when the server does not respond.
 */
export async function connectRedisLog(
  url: string,
  options: Omit<RedisLogOptions, 'reader' | 'wait'> = {},
): Promise<RedisLog> {
  const wait = Math.min(maxWait, parseRedisUrl(url).commandTimeout / 2)
  const redis = await connectRedis(url)
  try {
    return new RedisLog(redis, { ...options, reader: await connectRedis(url), wait })
  } catch (error) {
    await redis.close()
    throw error
  }
}

// By key: a list of pairs, or in the newer protocol a map, which is a flat list.
function entriesOf(reply: unknown): unknown {
  if (!Array.isArray(reply)) return []
  return Array.isArray(reply[0]) ? reply[0][1] : reply[1]
}

function parseEntries(reply: unknown): BroadcastEntry[] {
  if (!Array.isArray(reply)) return []
  return reply.flatMap((entry: unknown) => {
    if (!Array.isArray(entry) || !Array.isArray(entry[1])) return []
    const position = parsePosition(String(entry[0]))
    const [, channel, , name, , data, , at] = entry[1].map(String)
    if (position === null || channel === undefined || name === undefined || data === undefined) {
      return []
    }
    return [{ position, channel, name, data, atMs: Number(at) }]
  })
}
