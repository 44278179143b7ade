import { Redis as Client } from 'ioredis'
import { StepKinds } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import { clientOptions } from './client-options.ts'
import { RedisError, connectionError, toRedisError } from './redis-error.ts'
import type { ConnectionContext } from './redis-error.ts'
import { redisLabel } from './redis-url.ts'
import { settledWithin } from '../base/pending-work.ts'
import { noteOtherClock } from '../base/time/epoch-seconds.ts'
import type { RedisSettings } from './redis-url.ts'
import type { Redis, RedisArgument, RedisScript } from './redis.ts'

/**
 * Opens a connection, which reconnects by itself. Unless `isLazy`, it waits for the server, so that a
 * wrong URL is found immediately.
 * @throws RedisError E_REDIS_LOST when it is not lazy and the server does not respond.
 */
export async function openRedis(settings: RedisSettings, isLazy: boolean): Promise<Redis> {
  const connection = new RedisConnection(new Client(clientOptions(settings)), settings)
  // A little longer than the client's own timeout, whose error is more specific.
  const opening = connection.open(settings.connectTimeout + 1)
  try {
    if (isLazy) opening.catch(() => undefined)
    else await opening
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** One `ioredis` connection, which reconnects when it breaks. */
class RedisConnection implements Redis {
  readonly label: string
  readonly prefix: string
  readonly #client: Client
  readonly #commandTimeout: number
  readonly #notReady: RedisError
  readonly #forgetClock: () => void
  #loss: RedisError | null
  #isCorked = false
  #pending = 0
  #closing: Promise<void> | null = null

  constructor(client: Client, settings: RedisSettings) {
    this.label = redisLabel(settings)
    this.prefix = settings.prefix
    this.#client = client
    this.#commandTimeout = settings.commandTimeout
    this.#forgetClock = noteOtherClock(this.label)
    this.#notReady = new RedisError(
      'E_REDIS_LOST',
      `no connection to ${this.label}: it is not ready`,
    )
    this.#loss = this.#notReady
    client.on('error', (error: unknown) => {
      this.#loss = connectionError(error, this.#context)
    })
    client.on('close', () => {
      this.#loss ??= new RedisError('E_REDIS_LOST', `the connection to ${this.label} broke`)
    })
    client.on('ready', () => {
      this.#loss = null
      this.#unrefIfIdle()
    })
  }

  /**
   * Opens the first connection.
   * @throws RedisError E_REDIS_LOST when that fails or takes longer than `timeout` seconds.
   */
  async open(timeout: number): Promise<void> {
    const opening = settledWithin(this.#client.connect(), timeout * 1000)
    if (!(await opening.catch(() => false))) throw this.#loss ?? this.#notReady
  }

  call(command: string, ...parameters: readonly RedisArgument[]): Promise<unknown> {
    // For upper-case names the client returns replies in their wire format.
    const name = command.toUpperCase()
    return Steps.Instance.measure(StepKinds.Redis, name, () => this.#call(name, parameters))
  }

  async run(
    script: RedisScript,
    keys: readonly string[],
    parameters: readonly RedisArgument[] = [],
  ): Promise<unknown> {
    const values = [keys.length, ...keys, ...parameters]
    try {
      return await this.call('EVALSHA', script.digest, ...values)
    } catch (error) {
      const isUnknown = error instanceof RedisError && error.native === 'NOSCRIPT'
      if (!isUnknown) throw error
      return this.call('EVAL', script.lua, ...values)
    }
  }

  async ping(): Promise<void> {
    await this.call('PING')
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #call(name: string, parameters: readonly RedisArgument[]): Promise<unknown> {
    if (this.#closing !== null) {
      throw new RedisError('E_REDIS_CLOSED', `${name} was sent after ${this.label} was closed`)
    }
    if (!this.#isReady) throw toRedisError(null, name, this.#context)
    this.#batchWrites()
    if (this.#pending === 0) this.#client.stream.ref()
    this.#pending += 1
    try {
      return await this.#client.call(name, ...parameters)
    } catch (error) {
      throw toRedisError(error, name, this.#context)
    } finally {
      this.#pending -= 1
      this.#unrefIfIdle()
    }
  }

  async #close(): Promise<void> {
    try {
      if (this.#isReady) {
        this.#client.stream.ref()
        await this.#client.quit()
      }
    } catch {
      // Already disconnected.
    } finally {
      this.#client.disconnect()
      this.#forgetClock()
    }
  }

  // Commands of the same turn of the event loop are sent in one write, which is most of their cost.
  #batchWrites(): void {
    if (this.#isCorked) return
    const { stream } = this.#client
    this.#isCorked = true
    stream.cork()
    setImmediate(() => {
      this.#isCorked = false
      stream.uncork()
    })
  }

  // An idle connection must not keep the process alive.
  #unrefIfIdle(): void {
    if (this.#pending > 0 || this.#closing !== null) return
    if (this.#isReady) this.#client.stream.unref()
  }

  // The client notices a closed socket a little later than the socket itself.
  get #isReady(): boolean {
    return this.#client.status === 'ready' && !this.#client.stream.destroyed
  }

  get #context(): ConnectionContext {
    return { label: this.label, commandTimeout: this.#commandTimeout, loss: this.#loss }
  }
}
