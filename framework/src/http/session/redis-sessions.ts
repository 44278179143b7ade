import type { Redis } from '../../redis/redis.ts'
import { RedisSubmissions } from '../submissions/redis-submissions.ts'
import { createOrSave, destroy, destroyDevice, destroyOf, touch } from './redis-scripts.ts'
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
  /**
   * Prefix of every key, after the prefix of the connection.
   * @default 'sessions:'
   */
  readonly prefix?: string
}

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
    await this.#redis.run(
      touch,
      [this.#key(digest)],
      [this.#identity, digest, used, expires, agent, peer],
    )
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

  submissions(): RedisSubmissions {
    return new RedisSubmissions(this.#redis)
  }

  async #listed(digest: string): Promise<ListedSession | null> {
    const fields = ['created', 'used', 'agent', 'peer', 'device', 'data']
    const [created, used, agent, peer, device, data] = texts(
      await this.#redis.call('HMGET', this.#key(digest), ...fields),
    )
    if (created === undefined || created === null) return null
    return {
      digest,
      pending: holdsPending(data ?? ''),
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
