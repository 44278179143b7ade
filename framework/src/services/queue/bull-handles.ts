import { Queue as BullQueue, Worker as BullWorker } from 'bullmq'
import { Redis as Client } from 'ioredis'
import { clientOptions } from '../redis/client-options.ts'
import { RedisError } from '../redis/redis-error.ts'
import { redisLabel } from '../redis/redis-url.ts'
import type { RedisSettings } from '../redis/redis-url.ts'
import { lossOf, toRedisError } from '../redis/to-redis-error.ts'
import type { ConnectionFacts } from '../redis/to-redis-error.ts'

/** How many events of a queue Redis keeps. Nobody reads them, and BullMQ writes them all the same. */
const keptEvents = 100

/**
 * One connection, and what BullMQ has on it: a queue for each name, and a worker where jobs are taken.
 * Each is made when it is first needed, and anew when Redis was away just then.
 */
export class BullHandles {
  readonly client: Client
  readonly label: string
  readonly #prefix: string
  readonly #commandTimeout: number
  readonly #queues = new Map<string, Promise<BullQueue>>()
  readonly #workers = new Map<string, Promise<BullWorker>>()
  #loss: RedisError | null = null

  constructor(settings: RedisSettings) {
    this.label = redisLabel(settings)
    this.#prefix = `${settings.prefix}queue`
    this.#commandTimeout = settings.commandTimeout
    this.client = new Client(clientOptions(settings))
    this.client.on('error', (error: unknown) => {
      this.#loss = lossOf(error, this.#facts)
    })
    this.client.on('ready', () => {
      this.#loss = null
    })
  }

  /** @throws RedisError E_REDIS_LOST when the server does not answer. */
  async open(): Promise<void> {
    try {
      await this.client.connect()
    } catch (error) {
      throw this.#loss ?? toRedisError(error, 'HELLO', this.#facts)
    }
  }

  queue(name: string): Promise<BullQueue> {
    return this.#made(this.#queues, name, () => {
      const streams = { events: { maxLen: keptEvents } }
      const options = { connection: this.client, prefix: this.#prefix, streams }
      return new BullQueue(name, options).on('error', untold)
    })
  }

  /** What takes jobs. `visibility` counts when it is made: a worker has one lease time for ever. */
  worker(name: string, visibility: number): Promise<BullWorker> {
    return this.#made(this.#workers, `${name} ${visibility}`, () => {
      const lockDuration = Math.ceil(visibility * 1_000)
      return new BullWorker(name, null, {
        connection: this.client,
        prefix: this.#prefix,
        autorun: false,
        lockDuration,
        // A lease is found to have ended by the second look after it did.
        stalledInterval: Math.ceil(lockDuration / 3),
        // How often a job may lose its worker is counted as attempts, by whoever takes it.
        maxStalledCount: Number.MAX_SAFE_INTEGER,
      }).on('error', untold)
    })
  }

  /** Names of the queues that were ever used. */
  async names(): Promise<string[]> {
    const beginning = `${this.#prefix}:`
    const pattern = `${beginning.replaceAll(/[\\*?[\]]/g, String.raw`\$&`)}*:meta`
    const found = new Set<string>()
    let cursor = '0'
    do {
      const [next, keys] = await this.client.scan(cursor, 'MATCH', pattern, 'COUNT', 1_000)
      for (const key of keys) found.add(key.slice(beginning.length, -':meta'.length))
      cursor = next
    } while (cursor !== '0')
    return [...found].toSorted()
  }

  /** What failed, in words that hold nothing of what was sent. */
  explain(error: unknown): RedisError {
    if (error instanceof RedisError) return error
    return toRedisError(error, 'a command of the queue', this.#facts)
  }

  async close(): Promise<void> {
    const handles = [...this.#workers.values(), ...this.#queues.values()]
    await Promise.allSettled(handles.map(async (handle) => closed(await handle)))
    try {
      if (this.client.status === 'ready') await this.client.quit()
    } catch {
      // It is gone already, which is what was wanted.
    } finally {
      this.client.disconnect()
    }
  }

  #made<Handle extends BullQueue | BullWorker>(
    handles: Map<string, Promise<Handle>>,
    name: string,
    make: () => Handle,
  ): Promise<Handle> {
    const known = handles.get(name)
    if (known !== undefined) return known
    const made = ready(make())
    handles.set(name, made)
    // It would stay broken for ever.
    made.catch(() => handles.delete(name))
    return made
  }

  get #facts(): ConnectionFacts {
    return { label: this.label, commandTimeout: this.#commandTimeout, loss: this.#loss }
  }
}

// Every call that fails says so itself; without a listener the process would end.
function untold(): void {}

async function ready<Handle extends BullQueue | BullWorker>(handle: Handle): Promise<Handle> {
  try {
    await handle.waitUntilReady()
    if (handle instanceof BullWorker) await handle.startStalledCheckTimer()
    return handle
  } catch (error) {
    await closed(handle).catch(() => undefined)
    throw error
  }
}

// A worker has a connection of its own. Asked politely while Redis is away, BullMQ would leave it
// behind, connecting for ever and keeping the process alive.
function closed(handle: BullQueue | BullWorker): Promise<void> {
  return handle instanceof BullWorker ? handle.close(true) : handle.close()
}
