import { StepKinds } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import type { ConnectionSettings } from './connection-settings.ts'
import { closedError, DatabaseError } from './database-error.ts'

/** A connection that a pool can manage. */
export interface PooledConnection {
  /** False once it is broken or its state is unknown; the pool then discards it. */
  readonly usable: boolean
  /** Called when it is taken from the pool: from now on it keeps the process alive. */
  ref(): void
  /** Called when it returns to the pool: an idle connection does not keep the process alive. */
  unref(): void
  /** All that is sent until the next tick goes out in one network write. */
  gather(): void
  /** How many bytes have come from the server; null while no statement is pending. */
  readonly received: number | null
  /** Breaks a connection whose state is unknown; pending statements fail with the reason. */
  destroy(reason: string): void
  /** Resolves when it is closed, and never rejects. */
  close(): Promise<void>
}

type PoolSettings = Pick<ConnectionSettings, 'pool' | 'poolTimeout' | 'statementTimeout'>

/** Work that may be sent together with other such work; it has the time that it took the last time. */
export interface Shareable {
  lastMs: number
}

interface Waiter<Connection> {
  readonly resolve: (connection: Connection) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
  readonly shareable: Shareable | null
}

interface Idle<Connection> {
  readonly connection: Connection
  readonly sinceMs: number
}

const idleMs = 30_000
const sweepMs = 1_000
/** How long after its timeout a statement is waited for. */
const graceSeconds = 5

/** Work that took longer the last time has a connection to itself. */
const quickMs = 100
const maxShared = 8

/**
 * A pool that opens connections on demand, hands them out in the order of the requests and closes
 * them after 30 idle seconds. With an idle connection, work starts synchronously and without a
 * timer. With all in use, one that becomes free takes several that wait, if they are shareable.
 */
export class ConnectionPool<Connection extends PooledConnection> {
  readonly #settings: PoolSettings
  readonly #open: () => Promise<Connection>
  /** With how much work is pending on each. */
  readonly #lent = new Map<Connection, number>()
  /** What each had received, and since when. */
  readonly #heard = new WeakMap<Connection, { bytes: number | null; atMs: number }>()
  readonly #waiting = new Set<Waiter<Connection>>()
  readonly #leaving = new Set<Promise<void>>()
  /** The last one is used next, so that surplus connections age out. */
  readonly #idle: Idle<Connection>[] = []
  #opening = 0
  #sweeper: NodeJS.Timeout | null = null
  #closing: Promise<void> | null = null
  #onEmpty: () => void = () => undefined

  constructor(settings: PoolSettings, open: () => Promise<Connection>) {
    this.#settings = settings
    this.#open = open
  }

  /**
   * Runs `work` with a connection, which returns to the pool when the promise settles. It is shared
   * only with work that is shareable too.
   * @throws DatabaseError E_POOL_TIMEOUT when none became free in time, E_DATABASE_CLOSED after
   * `close`.
   */
  use<T>(
    work: (connection: Connection) => Promise<T>,
    timeout: number = this.#settings.poolTimeout,
    shareable: Shareable | null = null,
  ): Promise<T> {
    if (this.#closing !== null) return Promise.reject(closedError())
    const idle = this.#takeIdle()
    if (idle !== null) return this.#lend(idle, work, shareable)
    const wait = (): Promise<Connection> => this.#wait(timeout, shareable)
    const lend = (connection: Connection): Promise<T> => this.#lend(connection, work, shareable)
    return Steps.Instance.measure(StepKinds.Pool, 'wait', wait).then(lend)
  }

  /** Waits for all pending work, then closes every connection. */
  close(): Promise<void> {
    this.#closing ??= this.#drain()
    return this.#closing
  }

  async #lend<T>(
    connection: Connection,
    work: (connection: Connection) => Promise<T>,
    shareable: Shareable | null,
  ): Promise<T> {
    const startMs = shareable === null ? 0 : performance.now()
    try {
      return await work(connection)
    } finally {
      if (shareable !== null) shareable.lastMs = performance.now() - startMs
      const others = (this.#lent.get(connection) ?? 0) - 1
      this.#lent.set(connection, others)
      if (others === 0) this.#offer(connection)
    }
  }

  #takeIdle(): Connection | null {
    for (;;) {
      const connection = this.#idle.pop()?.connection
      if (connection === undefined) return null
      if (!connection.usable) continue
      connection.ref()
      this.#lent.set(connection, 1)
      return connection
    }
  }

  #wait(timeout: number, shareable: Shareable | null): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter)
        reject(this.#timedOut(timeout))
        this.#settle()
      }, timeout * 1000)
      const waiter = { resolve, reject, timer, shareable }
      this.#waiting.add(waiter)
      this.#openMore()
    })
  }

  #openMore(): void {
    while (this.#opening < this.#waiting.size && this.#size < this.#settings.pool) {
      this.#opening += 1
      this.#open().then(
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
    connection.ref()
    this.#offer(connection)
  }

  // Rejects only one waiter: the others may still get a connection that is in use now.
  #failedToOpen(error: unknown): void {
    this.#opening -= 1
    this.#takeWaiters(1)[0]?.reject(error)
    this.#openMore()
    this.#settle()
  }

  /** Hands a connection to those that have waited longest, or keeps it idle. */
  #offer(connection: Connection): void {
    this.#lent.delete(connection)
    const share = Math.ceil(this.#waiting.size / this.#settings.pool)
    const waiters = connection.usable ? this.#takeWaiters(Math.min(share, maxShared)) : []
    if (waiters.length > 0) {
      this.#lent.set(connection, waiters.length)
      if (waiters.length > 1) connection.gather()
      for (const { resolve } of waiters) resolve(connection)
    } else if (connection.usable && this.#closing === null) {
      connection.unref()
      this.#idle.push({ connection, sinceMs: Date.now() })
    } else {
      this.#end(connection)
      this.#openMore()
      this.#settle()
    }
  }

  /** The longest waiter, and those behind it if all may share a connection. */
  #takeWaiters(count: number): readonly Waiter<Connection>[] {
    const taken: Waiter<Connection>[] = []
    for (const waiter of this.#waiting) {
      const isAlone = waiter.shareable === null || waiter.shareable.lastMs > quickMs
      if (isAlone && taken.length > 0) break
      this.#waiting.delete(waiter)
      clearTimeout(waiter.timer)
      taken.push(waiter)
      if (isAlone || taken.length >= count) break
    }
    return taken
  }

  #sweep(): void {
    for (const connection of this.#lent.keys()) this.#watch(connection)
    const idle = this.#idle.splice(0)
    const oldestMs = Date.now() - idleMs
    for (const one of idle) {
      if (one.connection.usable && one.sinceMs > oldestMs) this.#idle.push(one)
      else this.#end(one.connection)
    }
    if (this.#size === 0) this.#stopSweeping()
  }

  // The server stops a statement at its timeout; one that does not even do that is gone.
  #watch(connection: Connection): void {
    const { statementTimeout } = this.#settings
    if (statementTimeout === 0) return
    const silence = statementTimeout + graceSeconds
    const { received: bytes } = connection
    const heard = this.#heard.get(connection)
    if (bytes === null || bytes !== heard?.bytes) {
      this.#heard.set(connection, { bytes, atMs: Date.now() })
    } else if (Date.now() - heard.atMs > silence * 1000) {
      connection.destroy(`the database was silent for ${silence} s; the connection was closed`)
    }
  }

  #stopSweeping(): void {
    clearInterval(this.#sweeper ?? undefined)
    this.#sweeper = null
  }

  #end(connection: Connection): void {
    const leaving = connection.close().finally(() => this.#leaving.delete(leaving))
    this.#leaving.add(leaving)
  }

  async #drain(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onEmpty = resolve
    for (const { connection } of this.#idle.splice(0)) this.#end(connection)
    this.#settle()
    await promise
    this.#stopSweeping()
    await Promise.all(this.#leaving)
  }

  #settle(): void {
    if (this.#size === 0 && this.#waiting.size === 0) this.#onEmpty()
  }

  #timedOut(timeout: number): DatabaseError {
    const [inUse, opening] = [this.#lent.size, this.#opening]
    const state = `${inUse} of ${this.#settings.pool} are in use and ${opening} are being opened`
    return new DatabaseError(
      inUse === 0 ? 'E_CONNECTION_LOST' : 'E_POOL_TIMEOUT',
      `no connection of the pool became free within ${timeout} s: ${state}; ` +
        'end transactions sooner, or raise pool= in the database URL',
    )
  }
}
