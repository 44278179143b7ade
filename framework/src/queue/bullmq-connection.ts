import { Queue as BullQueue, Worker as BullWorker } from 'bullmq'
import { Redis as Client } from 'ioredis'
import { noteOtherClock } from '../base/time/epoch-seconds.ts'
import { clientOptions } from '../redis/client-options.ts'
import { RedisError, connectionError, toRedisError } from '../redis/redis-error.ts'
import { redisLabel } from '../redis/redis-url.ts'
import type { RedisSettings } from '../redis/redis-url.ts'
import type { ConnectionContext } from '../redis/redis-error.ts'

/** How many events Redis keeps per queue. BullMQ always writes them; they are not used. */
const keptEvents = 100

/**
 * One connection with its BullMQ queues and workers by name. Each is created on first use, and again
 * after a failure to connect.
 */
export class BullmqConnection {
  readonly client: Client
  readonly label: string
  readonly #prefix: string
  readonly #commandTimeout: number
  readonly #forgetClock: () => void
  readonly #queues = new Map<string, Promise<BullQueue>>()
  readonly #workers = new Map<string, Promise<BullWorker>>()
  #loss: RedisError | null = null

  constructor(settings: RedisSettings) {
    this.label = redisLabel(settings)
    this.#prefix = `${settings.prefix}queue`
    this.#commandTimeout = settings.commandTimeout
    this.#forgetClock = noteOtherClock(this.label)
    this.client = new Client(clientOptions(settings))
    this.client.on('error', (error: unknown) => {
      this.#loss = connectionError(error, this.#context)
    })
    this.client.on('ready', () => {
      this.#loss = null
    })
  }

  /** @throws RedisError E_REDIS_LOST when the server does not respond. */
  async open(): Promise<void> {
    try {
      await this.client.connect()
    } catch (error) {
      throw this.#loss ?? toRedisError(error, 'HELLO', this.#context)
    }
  }

  queue(name: string): Promise<BullQueue> {
    return this.#getOrCreate(this.#queues, name, () => {
      const streams = { events: { maxLen: keptEvents } }
      const options = { connection: this.client, prefix: this.#prefix, streams }
      return new BullQueue(name, options).on('error', ignoreError)
    })
  }

  /** A worker, which claims jobs. The lease time of a worker is fixed, so there is one per value. */
  worker(name: string, visibility: number): Promise<BullWorker> {
    return this.#getOrCreate(this.#workers, `${name} ${visibility}`, () => {
      const lockDuration = Math.ceil(visibility * 1_000)
      return new BullWorker(name, null, {
        connection: this.client,
        prefix: this.#prefix,
        autorun: false,
        lockDuration,
        // BullMQ detects an expired lease at the second check after it.
        stalledInterval: Math.ceil(lockDuration / 3),
        // Lost workers count as attempts, which are limited elsewhere.
        maxStalledCount: Number.MAX_SAFE_INTEGER,
      }).on('error', ignoreError)
    })
  }

  /** Names of all queues that were ever used. */
  async names(): Promise<string[]> {
    const start = `${this.#prefix}:`
    const pattern = `${start.replaceAll(/[\\*?[\]]/g, String.raw`\$&`)}*:meta`
    const found = new Set<string>()
    let cursor = '0'
    do {
      const [next, keys] = await this.client.scan(cursor, 'MATCH', pattern, 'COUNT', 1_000)
      for (const key of keys) found.add(key.slice(start.length, -':meta'.length))
      cursor = next
    } while (cursor !== '0')
    return [...found].toSorted()
  }

  /** Converts an error to a `RedisError` that contains no sent data. */
  explain(error: unknown): RedisError {
    if (error instanceof RedisError) return error
    return toRedisError(error, 'a queue command', this.#context)
  }

  async close(): Promise<void> {
    const handles = [...this.#workers.values(), ...this.#queues.values()]
    await Promise.allSettled(handles.map(async (handle) => closeHandle(await handle)))
    try {
      if (this.client.status === 'ready') await this.client.quit()
    } catch {
      // Already disconnected.
    } finally {
      this.client.disconnect()
      this.#forgetClock()
    }
  }

  #getOrCreate<Handle extends BullQueue | BullWorker>(
    handles: Map<string, Promise<Handle>>,
    name: string,
    create: () => Handle,
  ): Promise<Handle> {
    const known = handles.get(name)
    if (known !== undefined) return known
    const created = ready(create())
    handles.set(name, created)
    // A handle that failed to connect never recovers.
    created.catch(() => handles.delete(name))
    return created
  }

  get #context(): ConnectionContext {
    return { label: this.label, commandTimeout: this.#commandTimeout, loss: this.#loss }
  }
}

// Failed calls reject anyway; without a listener the process would end.
function ignoreError(): void {}

async function ready<Handle extends BullQueue | BullWorker>(handle: Handle): Promise<Handle> {
  try {
    await handle.waitUntilReady()
    if (handle instanceof BullWorker) await handle.startStalledCheckTimer()
    return handle
  } catch (error) {
    await closeHandle(handle).catch(() => undefined)
    throw error
  }
}

// A worker has its own connection. Without `force` and while Redis is down, BullMQ would leave it
// reconnecting forever, which keeps the process alive.
function closeHandle(handle: BullQueue | BullWorker): Promise<void> {
  return handle instanceof BullWorker ? handle.close(true) : handle.close()
}
