import { DatabaseError } from './database-error.ts'

/** What a pool needs of a connection. */
export interface PooledConnection {
  /** False once it is broken or its state is unknown; it is then thrown away. */
  readonly usable: boolean
  /** Called when it is lent: from now on it keeps the process alive. */
  hold(): void
  /** Called when it is given back: an idle connection does not keep the process alive. */
  rest(): void
  /** Called about once a second while it is lent, so that it can give up on a silent server. */
  watch(): void
  /** Ends it; resolves when it is over, and never rejects. */
  close(): Promise<void>
}

/** How a pool is run. */
export interface PoolOptions<Connection> {
  readonly open: () => Promise<Connection>
  /** Most connections at a time. */
  readonly size: number
  /** Seconds to wait for a connection. */
  readonly timeout: number
}

interface Waiter<Connection> {
  readonly resolve: (connection: Connection) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

interface Idle<Connection> {
  readonly connection: Connection
  readonly sinceMs: number
}

const idleMs = 30_000
const sweepMs = 1_000

/**
 * Connections that are opened as they are needed, lent in the order of asking and closed after 30
 * seconds of rest. With one at rest, work starts within the call; nothing is timed then.
 */
export class ConnectionPool<Connection extends PooledConnection> {
  readonly #options: PoolOptions<Connection>
  readonly #lent = new Set<Connection>()
  readonly #waiting = new Set<Waiter<Connection>>()
  readonly #leaving = new Set<Promise<void>>()
  /** The last one is lent next, so that those that are not needed grow old. */
  readonly #idle: Idle<Connection>[] = []
  #opening = 0
  #sweeper: NodeJS.Timeout | null = null
  #closing: Promise<void> | null = null
  #whenEmpty: () => void = () => undefined

  constructor(options: PoolOptions<Connection>) {
    this.#options = options
  }

  /**
   * Lends a connection to `work` until its promise settles.
   * @throws DatabaseError E_POOL_TIMEOUT when none became free in time, E_DATABASE_CLOSED after close.
   */
  use<T>(
    work: (connection: Connection) => Promise<T>,
    timeout: number = this.#options.timeout,
  ): Promise<T> {
    if (this.#closing !== null) return Promise.reject(closedError())
    const rested = this.#takeIdle()
    if (rested !== null) return this.#lend(rested, work)
    return this.#wait(timeout).then((connection) => this.#lend(connection, work))
  }

  /** Waits for all that was asked for, then ends every connection. */
  close(): Promise<void> {
    this.#closing ??= this.#drain()
    return this.#closing
  }

  async #lend<T>(connection: Connection, work: (connection: Connection) => Promise<T>): Promise<T> {
    connection.hold()
    try {
      return await work(connection)
    } finally {
      this.#lent.delete(connection)
      this.#offer(connection)
    }
  }

  #takeIdle(): Connection | null {
    for (;;) {
      const connection = this.#idle.pop()?.connection
      if (connection === undefined) return null
      if (!connection.usable) continue
      this.#lent.add(connection)
      return connection
    }
  }

  #wait(timeout: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter)
        reject(this.#timedOut(timeout))
        this.#settle()
      }, timeout * 1000)
      const waiter = { resolve, reject, timer }
      this.#waiting.add(waiter)
      this.#openMore()
    })
  }

  #openMore(): void {
    while (this.#opening < this.#waiting.size && this.#size < this.#options.size) {
      this.#opening += 1
      this.#options.open().then(
        (connection) => this.#opened(connection),
        (error: unknown) => this.#failedToOpen(error),
      )
    }
  }

  get #size(): number {
    return this.#idle.length + this.#lent.size + this.#opening
  }

  #opened(connection: Connection): void {
    this.#opening -= 1
    this.#sweeper ??= setInterval(() => this.#sweep(), sweepMs).unref()
    this.#offer(connection)
  }

  // One waiter has its answer; the others may still get a connection that is in use now.
  #failedToOpen(error: unknown): void {
    this.#opening -= 1
    this.#takeWaiter()?.reject(error)
    this.#openMore()
    this.#settle()
  }

  /** Hands a connection to whoever waits longest, else lets it rest. */
  #offer(connection: Connection): void {
    const waiter = connection.usable ? this.#takeWaiter() : null
    if (waiter !== null) {
      this.#lent.add(connection)
      waiter.resolve(connection)
    } else if (connection.usable && this.#closing === null) {
      connection.rest()
      this.#idle.push({ connection, sinceMs: Date.now() })
    } else {
      this.#end(connection)
      this.#openMore()
      this.#settle()
    }
  }

  #takeWaiter(): Waiter<Connection> | null {
    const [waiter] = this.#waiting
    if (waiter === undefined) return null
    this.#waiting.delete(waiter)
    clearTimeout(waiter.timer)
    return waiter
  }

  #sweep(): void {
    for (const connection of this.#lent) connection.watch()
    const rested = this.#idle.splice(0)
    const oldestMs = Date.now() - idleMs
    for (const one of rested) {
      if (one.connection.usable && one.sinceMs > oldestMs) this.#idle.push(one)
      else this.#end(one.connection)
    }
    if (this.#size === 0) this.#stopSweeping()
  }

  #stopSweeping(): void {
    if (this.#sweeper !== null) clearInterval(this.#sweeper)
    this.#sweeper = null
  }

  #end(connection: Connection): void {
    const leaving = connection.close().finally(() => this.#leaving.delete(leaving))
    this.#leaving.add(leaving)
  }

  async #drain(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#whenEmpty = resolve
    for (const { connection } of this.#idle.splice(0)) this.#end(connection)
    this.#settle()
    await promise
    this.#stopSweeping()
    await Promise.all(this.#leaving)
  }

  #settle(): void {
    if (this.#size === 0 && this.#waiting.size === 0) this.#whenEmpty()
  }

  #timedOut(timeout: number): DatabaseError {
    const [inUse, opening] = [this.#lent.size, this.#opening]
    const state = `${inUse} of ${this.#options.size} are in use and ${opening} are being opened`
    return new DatabaseError(
      inUse === 0 ? 'E_CONNECTION_LOST' : 'E_POOL_TIMEOUT',
      `no connection of the pool became free within ${timeout} s: ${state}; ` +
        'end transactions sooner, or raise pool= in the URL of the database',
    )
  }
}

function closedError(): DatabaseError {
  return new DatabaseError('E_DATABASE_CLOSED', 'the database was closed; no statement can be sent')
}
