import type { Redis as Client } from 'ioredis'
import { RedisError } from './redis-error.ts'
import type { Redis, RedisArgument, RedisScript } from './redis.ts'
import { redisLabel } from './redis-url.ts'
import type { RedisSettings } from './redis-url.ts'
import { lossOf, toRedisError } from './to-redis-error.ts'
import type { ConnectionFacts } from './to-redis-error.ts'

/** One connection of `ioredis`, which makes itself anew when it breaks. */
export class RedisConnection implements Redis {
  readonly label: string
  readonly prefix: string
  readonly #client: Client
  readonly #commandTimeout: number
  readonly #unready: RedisError
  #loss: RedisError | null
  #isGathering = false
  #underWay = 0
  #closing: Promise<void> | null = null

  constructor(client: Client, settings: RedisSettings) {
    this.label = redisLabel(settings)
    this.prefix = settings.prefix
    this.#client = client
    this.#commandTimeout = settings.commandTimeout
    this.#unready = new RedisError(
      'E_REDIS_LOST',
      `no connection to ${this.label}: it is not ready`,
    )
    this.#loss = this.#unready
    client.on('error', (error: unknown) => {
      this.#loss = lossOf(error, this.#facts)
    })
    client.on('close', () => {
      this.#loss ??= new RedisError('E_REDIS_LOST', `the connection to ${this.label} broke`)
    })
    client.on('ready', () => {
      this.#loss = null
      this.#rest()
    })
  }

  /**
   * Makes the first connection.
   * @throws RedisError E_REDIS_LOST when that fails or takes longer than so many seconds.
   */
  async open(timeout: number): Promise<void> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(this.#unready), timeout * 1000)
    try {
      await Promise.race([this.#client.connect(), late])
    } catch {
      throw this.#loss ?? this.#unready
    } finally {
      clearTimeout(timer)
    }
  }

  async call(command: string, ...parameters: readonly RedisArgument[]): Promise<unknown> {
    // In capitals: the client then leaves replies in the shape they have on the wire.
    const name = command.toUpperCase()
    if (this.#closing !== null) throw this.#closed(name)
    if (!this.#isReady) throw toRedisError(null, name, this.#facts)
    this.#gather()
    if (this.#underWay === 0) this.#client.stream.ref()
    this.#underWay += 1
    try {
      return await this.#client.call(name, ...parameters)
    } catch (error) {
      throw toRedisError(error, name, this.#facts)
    } finally {
      this.#underWay -= 1
      this.#rest()
    }
  }

  async run(
    script: RedisScript,
    keys: readonly string[],
    parameters: readonly RedisArgument[] = [],
  ): Promise<unknown> {
    const rest = [keys.length, ...keys, ...parameters]
    try {
      return await this.call('EVALSHA', script.digest, ...rest)
    } catch (error) {
      const isUnknown = error instanceof RedisError && error.native === 'NOSCRIPT'
      if (!isUnknown) throw error
      return this.call('EVAL', script.lua, ...rest)
    }
  }

  async ping(): Promise<void> {
    await this.call('PING')
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    try {
      if (this.#isReady) {
        this.#client.stream.ref()
        await this.#client.quit()
      }
    } catch {
      // It is gone already, which is what was wanted.
    } finally {
      this.#client.disconnect()
    }
  }

  // Requests that arrive in the same turn of the event loop send their commands in one write, which
  // is most of what a command costs.
  #gather(): void {
    if (this.#isGathering) return
    const { stream } = this.#client
    this.#isGathering = true
    stream.cork()
    setImmediate(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  // A connection that nobody waits for does not keep the process alive.
  #rest(): void {
    if (this.#underWay > 0 || this.#closing !== null) return
    if (this.#isReady) this.#client.stream.unref()
  }

  // The client learns of a socket that is gone a little later than the socket itself.
  get #isReady(): boolean {
    return this.#client.status === 'ready' && !this.#client.stream.destroyed
  }

  get #facts(): ConnectionFacts {
    return { label: this.label, commandTimeout: this.#commandTimeout, loss: this.#loss }
  }

  #closed(command: string): RedisError {
    return new RedisError('E_REDIS_CLOSED', `${command} came after ${this.label} was closed`)
  }
}
