import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { createConnection } from 'mariadb'
import type { Connection } from 'mariadb'
import { DatabaseError } from '../database-error.ts'
import type { ConnectionSettings } from '../connection-settings.ts'
import type { Result, ResultDetails } from '../operation.ts'
import type { PooledConnection } from '../connection-pool.ts'
import { clientConfig, ServerGreeting } from './mariadb-client.ts'
import { connectError, endsSession, statementError } from './mariadb-errors.ts'
import type { BoundStatement } from './mariadb-statement.ts'

const keepAliveMs = 30_000

/** The server gives up after re-preparing a statement three times. */
const NEEDS_REPREPARE = '1615'

/** A status flag of the server. The driver also sets it after every error. */
const IN_TRANSACTION = 1

/** One connection to MariaDB. Responses arrive in the order of the statements. */
export class MariadbConnection implements PooledConnection {
  readonly #client: Connection
  readonly #socket: Socket
  /** Rejects each pending statement. */
  readonly #pending = new Set<(reason: unknown) => void>()
  #usable = true
  #reason: string | null = null

  private constructor(client: Connection, socket: Socket) {
    this.#client = client
    this.#socket = socket
    // Emitted when an idle connection breaks; without a listener it would end the process.
    client.on('error', () => {
      this.#usable = false
    })
  }

  /**
   * @throws DatabaseError E_CONNECTION_LOST; ConfigurationError E_DATABASE_SERVER for a server that is not
   * MariaDB.
   */
  static async open(settings: ConnectionSettings): Promise<MariadbConnection> {
    const { host, port } = settings
    const keep = { keepAlive: true, keepAliveInitialDelay: keepAliveMs }
    const socket = connect({ host, port, noDelay: true, ...keep })
    const greeting = new ServerGreeting(socket)
    try {
      const client = await createConnection(clientConfig(settings, socket))
      return new MariadbConnection(client, socket)
    } catch (error) {
      socket.destroy()
      greeting.assertMariadb(settings.label)
      throw connectError(error, settings.label)
    }
  }

  get usable(): boolean {
    return this.#usable && this.#client.isValid()
  }

  /**
   * Whether a transaction is open, if the last statement succeeded; always true after a failure.
   */
  get mayBeInTransaction(): boolean {
    return ((this.#client.info?.status ?? 0) & IN_TRANSACTION) !== 0
  }

  /**
   * Sends a statement synchronously, and once more if the server asks to prepare it again.
   * @throws DatabaseError
   */
  async send(statement: BoundStatement): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#pending.add(reject)
    this.#query(statement).then(resolve, reject)
    try {
      return toResult(await promise, statement.details)
    } catch (error) {
      const failure = statementError(error, statement.sql)
      // It was not executed. Sent as text, it does not depend on the outdated prepared statement.
      const isOutdated = statement.isPrepared && failure.native === NEEDS_REPREPARE
      if (isOutdated) return this.send({ ...statement, isPrepared: false })
      throw this.#failure(failure)
    } finally {
      this.#pending.delete(reject)
    }
  }

  gather(): void {
    this.#socket.cork()
    process.nextTick(() => this.#socket.uncork())
  }

  ping(): Promise<Result> {
    const select = { sql: 'SELECT 1', values: [], raw: false, details: false, isPrepared: false }
    return this.send(select)
  }

  // The driver's own method is not used: it would open a second connection to kill the statement, and
  // end the process if that fails.
  destroy(reason: string): void {
    this.#usable = false
    this.#reason ??= reason
    this.#socket.destroy()
    for (const fail of this.#pending) fail(new Error(reason))
  }

  ref(): void {
    this.#socket.ref()
  }

  unref(): void {
    this.#socket.unref()
  }

  get received(): number | null {
    return this.#pending.size === 0 ? null : this.#socket.bytesRead
  }

  async close(): Promise<void> {
    if (this.usable) await this.#client.end().catch(() => undefined)
    else this.destroy('the connection was closed')
  }

  #query({ sql, values, raw, isPrepared }: BoundStatement): Promise<unknown> {
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

/** The result of the driver. Of a procedure with several SELECTs, the first rows. */
export function toResult(response: unknown, hasDetails = false): Result {
  const result = plainResult(response)
  return hasDetails ? { ...result, details: detailsOf(response) } : result
}

function plainResult(response: unknown): Result {
  if (isRows(response)) return { rows: response, affected: response.length }
  if (!Array.isArray(response)) return { rows: [], affected: affectedRows(response) }
  return plainResult(response.find(isRows) ?? response.at(-1))
}

// The driver adds the columns to every list of rows, and to nothing else.
function isRows(response: unknown): response is readonly unknown[] {
  return Array.isArray(response) && 'meta' in response
}

function affectedRows(response: unknown): number {
  const { affectedRows: affected } = Object(response)
  return typeof affected === 'number' ? affected : 0
}

function detailsOf(response: unknown): ResultDetails {
  const lists: readonly unknown[] = Array.isArray(response) ? response : []
  const { meta, insertId } = Object(isRows(response) ? response : (lists.find(isRows) ?? response))
  const columns: unknown[] = Array.isArray(meta) ? meta : []
  return {
    columns: columns.map((column) => String(Object(column).name())),
    // Zero when the statement generated none.
    insertId: typeof insertId === 'bigint' && insertId !== 0n ? insertId : null,
  }
}
