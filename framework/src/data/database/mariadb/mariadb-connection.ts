import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { createConnection } from 'mariadb'
import type { Connection } from 'mariadb'
import { DatabaseError } from '../database-error.ts'
import type { DatabaseSettings } from '../database-settings.ts'
import type { Result } from '../operation.ts'
import type { PooledConnection } from '../connection-pool.ts'
import { clientConfig } from './client-config.ts'
import { connectError } from './connect-error.ts'
import { endsSession, statementError } from './mariadb-error.ts'
import type { BoundStatement } from './mariadb-statement.ts'
import { toResult } from './to-result.ts'

/** How much longer than `statement_timeout` a sign of the server is waited for, in seconds. */
const GRACE = 5
const KEEP_ALIVE_MS = 30_000

/** The server gives up after three times of preparing a statement anew by itself. */
const NEEDS_REPREPARE = '1615'

/** A flag of the server's status. The driver also sets it after every error. */
const IN_TRANSACTION = 1

/** One connection to MariaDB. Statements are answered in the order they are sent. */
export class MariadbConnection implements PooledConnection {
  readonly #client: Connection
  readonly #socket: Socket
  /** Seconds without any sign of the server after which a statement is given up; 0 is never. */
  readonly #silence: number
  /** Fails each statement under way. */
  readonly #underWay = new Set<(reason: unknown) => void>()
  #usable = true
  #reason: string | null = null
  #heard = { bytes: 0, atMs: 0 }

  private constructor(client: Connection, socket: Socket, silence: number) {
    this.#client = client
    this.#socket = socket
    this.#silence = silence
    // A connection that breaks while it rests tells so here; unheard it would end the process.
    client.on('error', () => {
      this.#usable = false
    })
  }

  /** @throws DatabaseError E_CONNECTION_LOST */
  static async open(settings: DatabaseSettings): Promise<MariadbConnection> {
    const { host, port, statementTimeout } = settings
    const keep = { keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS }
    const socket = connect({ host, port, noDelay: true, ...keep })
    try {
      const client = await createConnection(clientConfig(settings, socket))
      const silence = statementTimeout === 0 ? 0 : statementTimeout + GRACE
      return new MariadbConnection(client, socket, silence)
    } catch (error) {
      socket.destroy()
      throw connectError(error, settings.label)
    }
  }

  get usable(): boolean {
    return this.#usable && this.#client.isValid()
  }

  /** Whether a transaction is open, if its last statement worked; true after one that failed. */
  get mayBeInTransaction(): boolean {
    return ((this.#client.info?.status ?? 0) & IN_TRANSACTION) !== 0
  }

  /**
   * Sends a statement within the call, and once more if it has to be prepared anew.
   * @throws DatabaseError
   */
  async send(statement: BoundStatement): Promise<Result> {
    if (this.#underWay.size === 0) this.#heard = { bytes: -1, atMs: Date.now() }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#underWay.add(reject)
    this.#ask(statement).then(resolve, reject)
    try {
      return toResult(await promise)
    } catch (error) {
      const failure = statementError(error, statement.sql)
      // It was not run; as a text it needs nothing that was prepared before its tables changed.
      const isOutdated = statement.isPrepared && failure.native === NEEDS_REPREPARE
      if (isOutdated) return this.send({ ...statement, isPrepared: false })
      throw this.#failure(failure)
    } finally {
      this.#underWay.delete(reject)
    }
  }

  /** Puts everything that `send` sends into one write to the network. */
  together<T>(send: () => T): T {
    this.#socket.cork()
    try {
      return send()
    } finally {
      this.#socket.uncork()
    }
  }

  /**
   * Breaks the connection because its state is unknown; what is under way fails with the reason. The
   * driver is not asked: it would open a second connection to kill the statement of this one, and
   * end the process where that fails.
   */
  destroy(reason: string): void {
    this.#usable = false
    this.#reason ??= reason
    this.#socket.destroy()
    for (const fail of this.#underWay) fail(new Error(reason))
  }

  hold(): void {
    this.#socket.ref()
  }

  rest(): void {
    this.#socket.unref()
  }

  // The server stops a statement at its timeout; a server that does not even do that is gone.
  watch(): void {
    if (this.#silence === 0 || this.#underWay.size === 0) return
    const bytes = this.#socket.bytesRead
    if (bytes !== this.#heard.bytes) this.#heard = { bytes, atMs: Date.now() }
    else if (Date.now() - this.#heard.atMs > this.#silence * 1000) {
      this.destroy(`the database gave no sign for ${this.#silence} s; the connection was given up`)
    }
  }

  async close(): Promise<void> {
    if (this.usable) await this.#client.end().catch(() => undefined)
    else this.destroy('the connection was closed')
  }

  #ask({ sql, values, raw, isPrepared }: BoundStatement): Promise<unknown> {
    const options = { sql, rowsAsArray: raw }
    if (isPrepared) return this.#client.execute<unknown>(options, values)
    return this.#client.query<unknown>(options, values.length === 0 ? undefined : values)
  }

  #failure(error: DatabaseError): DatabaseError {
    if (endsSession(error)) this.#usable = false
    if (this.#reason === null) return error
    return new DatabaseError('E_CONNECTION_LOST', this.#reason)
  }
}
