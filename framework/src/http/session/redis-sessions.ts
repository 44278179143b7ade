import { RedisScript } from '../../redis/redis.ts'
import type { Redis } from '../../redis/redis.ts'
import { holdsPending } from './session-data.ts'
import type {
  ListedSession,
  SessionRow,
  SessionStore,
  SessionUse,
  StoredSession,
} from './session-store.ts'

/** Options of `RedisSessions`. */
export interface RedisSessionsOptions {
  /** Prefix of every key, after the prefix of the connection. @default 'sessions:' */
  readonly prefix?: string
}

// A session is the hash KEYS[1]; ARGV[1] is the key prefix of the identity indexes. The index of an
// identity is a sorted set of digests, scored by expiry, that expires with its last session.

const index = `
local function index(key, digest, used, expires)
  local ttl = expires - used
  redis.call('ZREMRANGEBYSCORE', key, '-inf', used)
  redis.call('ZADD', key, expires, digest)
  if redis.call('TTL', key) < ttl then redis.call('EXPIRE', key, ttl) end
end
`

/**
 * Writes a session to KEYS[2]. Revision 0 means a new session, which must not exist yet; any other
 * revision must match the stored one. Otherwise does nothing and returns 0.
 */
const createOrSave = new RedisScript(`${index}
local identities, digest, newDigest, revision = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local identity, used, expires = ARGV[6], ARGV[8], ARGV[9]
if revision == '0' then
  if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
else
  local found = redis.call('HMGET', KEYS[1], 'revision', 'identity')
  if found[1] ~= revision then return 0 end
  if found[2] ~= '' then redis.call('ZREM', identities .. found[2], digest) end
  redis.call('DEL', KEYS[1])
end
redis.call('HSET', KEYS[2], 'revision', revision + 1, 'data', ARGV[5], 'identity', identity,
  'created', ARGV[7], 'used', used, 'agent', ARGV[10], 'peer', ARGV[11], 'device', ARGV[12])
redis.call('EXPIRE', KEYS[2], expires - used)
if identity ~= '' then index(identities .. identity, newDigest, used, expires) end
return 1
`)

/** Records a use of a session, if it exists and was not used later. */
const touch = new RedisScript(`${index}
local identities, digest, used, expires = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local found = redis.call('HMGET', KEYS[1], 'used', 'identity')
if not found[1] or tonumber(found[1]) >= tonumber(used) then return 0 end
redis.call('HSET', KEYS[1], 'used', used, 'agent', ARGV[5], 'peer', ARGV[6])
redis.call('EXPIRE', KEYS[1], expires - used)
if found[2] ~= '' then index(identities .. found[2], digest, used, expires) end
return 1
`)

/** Ends a session; returns 1 if it existed. */
const destroy = new RedisScript(`
local identity = redis.call('HGET', KEYS[1], 'identity')
if not identity then return 0 end
redis.call('DEL', KEYS[1])
if identity ~= '' then redis.call('ZREM', ARGV[1] .. identity, ARGV[2]) end
return 1
`)

/** Ends the sessions in the sorted set KEYS[1] for which the condition is true; returns how many. */
const destroyIf = (condition: string): RedisScript =>
  new RedisScript(`
local ended = 0
for _, digest in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if ${condition} then
    ended = ended + redis.call('DEL', ARGV[1] .. digest)
    redis.call('ZREM', KEYS[1], digest)
  end
end
return ended
`)

const destroyOf = destroyIf('digest ~= ARGV[2]')
const destroyDevice = destroyIf(`redis.call('HGET', ARGV[1] .. digest, 'device') == ARGV[2]`)

/**
 * Sessions in Redis, shared by all machines. A session is a hash that Redis expires; the digests of
 * one identity are a sorted set. Each write is one script, so it is atomic.
 */
export class RedisSessions implements SessionStore {
  readonly #redis: Redis
  readonly #session: string
  readonly #identity: string

  constructor(redis: Redis, { prefix = 'sessions:' }: RedisSessionsOptions = {}) {
    this.#redis = redis
    this.#session = `${redis.prefix}${prefix}id:`
    this.#identity = `${redis.prefix}${prefix}of:`
  }

  async read(digest: string): Promise<StoredSession | null> {
    const key = this.#key(digest)
    const reply = await this.#redis.call('HMGET', key, 'data', 'revision', 'created', 'used')
    const [data, revision, created, used]: readonly unknown[] = Array.isArray(reply) ? reply : []
    if (typeof data !== 'string') return null
    return { data, revision: Number(revision), created: Number(created), used: Number(used) }
  }

  async create(digest: string, row: SessionRow): Promise<boolean> {
    return (await this.#write(digest, 0, row, digest)) === 1
  }

  async save(
    digest: string,
    revision: number,
    row: SessionRow,
    newDigest: string,
  ): Promise<boolean> {
    return (await this.#write(digest, revision, row, newDigest)) === 1
  }

  async touch(digest: string, { used, expires, agent, peer }: SessionUse): Promise<void> {
    const values = [this.#identity, digest, used, expires, agent, peer]
    await this.#redis.run(touch, [this.#key(digest)], values)
  }

  async isLive(identity: string, digest: string): Promise<boolean> {
    const [owner, data] = texts(
      await this.#redis.call('HMGET', this.#key(digest), 'identity', 'data'),
    )
    return owner === identity && !holdsPending(data ?? '')
  }

  async destroy(digest: string): Promise<boolean> {
    return (await this.#redis.run(destroy, [this.#key(digest)], [this.#identity, digest])) === 1
  }

  async destroyOf(identity: string, exceptDigest: string | null): Promise<number> {
    const key = this.#identity + identity
    return Number(await this.#redis.run(destroyOf, [key], [this.#session, exceptDigest ?? '']))
  }

  async destroyDevice(identity: string, device: string): Promise<number> {
    // Sessions without a device are stored with an empty handle.
    if (device === '') return 0
    const key = this.#identity + identity
    return Number(await this.#redis.run(destroyDevice, [key], [this.#session, device]))
  }

  async list(identity: string): Promise<readonly ListedSession[]> {
    const digests = texts(await this.#redis.call('ZRANGE', this.#identity + identity, 0, -1))
    const found = await Promise.all(digests.map((digest) => this.#listed(digest ?? '')))
    return found.filter((session) => session !== null)
  }

  /** Does nothing: Redis expires the keys itself. */
  async sweep(): Promise<number> {
    return 0
  }

  async #listed(digest: string): Promise<ListedSession | null> {
    const fields = ['created', 'used', 'agent', 'peer', 'device', 'data']
    const [created, used, agent, peer, device, data] = texts(
      await this.#redis.call('HMGET', this.#key(digest), ...fields),
    )
    if (created === undefined || created === null) return null
    return {
      digest,
      data: data ?? '',
      device: device === undefined || device === '' ? null : device,
      created: Number(created),
      used: Number(used),
      agent: agent ?? '',
      peer: peer ?? '',
    }
  }

  #write(digest: string, revision: number, row: SessionRow, newDigest: string): Promise<unknown> {
    const { data, identity, device, created, used, expires, agent, peer } = row
    const keys = [this.#key(digest), this.#key(newDigest)]
    const about = [this.#identity, digest, newDigest, revision]
    const values = [data, identity ?? '', created, used, expires, agent, peer, device ?? '']
    return this.#redis.run(createOrSave, keys, about.concat(values))
  }

  #key(digest: string): string {
    return this.#session + digest
  }
}

function texts(reply: unknown): readonly (string | null)[] {
  if (!Array.isArray(reply)) return []
  return reply.map((part: unknown) => (typeof part === 'string' ? part : null))
}
