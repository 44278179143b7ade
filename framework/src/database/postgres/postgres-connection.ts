import { Socket } from 'node:net'
import type { Client, QueryConfig, QueryResult } from 'pg'
import { toError } from '../../base/to-error.ts'
import { DatabaseError } from '../database-error.ts'
import type { Result } from '../operation.ts'
import type { PooledConnection } from '../connection-pool.ts'
import {
  brokenError,
  changedError,
  connectError,
  endsSession,
  serverReport,
  statementError,
} from './postgres-errors.ts'
import type { BoundStatement, StatementNames } from './postgres-statement.ts'
import { plainValues, rawValues } from './postgres-client.ts'
import { stalenessOf } from './postgres-statement.ts'

/** Options of a `PostgresConnection`. */
interface ConnectionOptions {
  /** URL without password, for messages. */
  readonly label: string
  /** Null if statements are not prepared. */
  readonly names: StatementNames | null
}

/** Done before a statement is sent once more. */
type Again = () => Promise<unknown>

const atOnce: Again = () => Promise.resolve()

const closeTimeoutMs = 1_000

/** One connection to PostgreSQL. If it breaks, only its pending statements fail. */
export class PostgresConnection implements PooledConnection {
  readonly #client: Client
  readonly #options: ConnectionOptions
  #usable = true
  #reason: string | null = null
  #pending = 0
  #endings = 0
  #lastEnding = ''
  /** Names of statements that failed inside a transaction and may be outdated. */
  readonly #possiblyStale = new Set<string>()
  /** What the driver gets for a prepared statement, by its name and form. */
  readonly #prepared = new Map<string, QueryConfig>()

  // Listens from the start: without a listener, a server that goes away would end the process.
  private constructor(client: Client, options: ConnectionOptions) {
    this.#client = client
    this.#options = options
    const lost = (): void => {
      this.#usable = false
    }
    client.on('error', lost)
    client.on('end', lost)
  }

  /**
   * Connects an unused client.
   * @throws DatabaseError E_CONNECTION_LOST
   */
  static async open(client: Client, options: ConnectionOptions): Promise<PostgresConnection> {
    const connection = new PostgresConnection(client, options)
    try {
      await client.connect()
      return connection
    } catch (error) {
      client.connection.stream.destroy()
      throw connectError(error, options.label)
    }
  }

  get usable(): boolean {
    return this.#usable
  }

  /** Whether a transaction was open at the last response. */
  get mayBeInTransaction(): boolean {
    return this.#client.getTransactionStatus() !== 'I'
  }

  /**
   * How many statements, not commands, have ended a transaction; some start the next one
   * immediately.
   */
  get endings(): number {
    return this.#endings
  }

  /** What the server did at the last of them: COMMIT or ROLLBACK. */
  get lastEnding(): string {
    return this.#lastEnding
  }

  /**
   * Sends a statement synchronously. One that failed because its prepared form is outdated is sent once
   * more after `again`. That is null inside a transaction in which something was done: its error stands,
   * and the next use works. There a statement that selects `*` is never prepared.
   * @throws DatabaseError
   */
  async send(statement: BoundStatement, again: Again | null = atOnce): Promise<Result> {
    const { names } = this.#options
    const known = names?.nameOf(statement.sql) ?? null
    const isDoubtful =
      again === null &&
      known !== null &&
      (this.#possiblyStale.has(known) || names?.hasStar(statement.sql) === true)
    const name = isDoubtful ? null : known
    let response = await this.#query(this.#configOf(statement, name))
    if (response instanceof Error && name !== null) {
      response = (await this.#recover(statement, name, response, again)) ?? response
    }
    if (response instanceof DatabaseError) throw response
    if (response instanceof Error) throw this.#failure(response, statement.values.length)
    if (isEnding(response.command, statement.sql)) {
      this.#endings += 1
      this.#lastEnding = response.command
    }
    const result = { rows: response.rows, affected: response.rowCount ?? 0 }
    if (!statement.details) return result
    const columns = response.fields.map((field) => field.name)
    return { ...result, details: { columns, insertId: null } }
  }

  /**
   * Sends a command such as COMMIT and resolves with the command that the server executed.
   * @throws DatabaseError
   */
  async command(sql: string): Promise<string> {
    const response = await this.#query({ text: sql })
    if (response instanceof Error) throw this.#failure(response, 0)
    return response.command
  }

  gather(): void {
    const { stream } = this.#client.connection
    stream.cork()
    process.nextTick(() => stream.uncork())
  }

  ping(): Promise<string> {
    return this.command('SELECT 1')
  }

  destroy(reason: string): void {
    this.#reason ??= reason
    this.#break()
  }

  ref(): void {
    this.#socket?.ref()
  }

  unref(): void {
    this.#socket?.unref()
  }

  get received(): number | null {
    return this.#pending === 0 ? null : (this.#socket?.bytesRead ?? 0)
  }

  async close(): Promise<void> {
    const { stream } = this.#client.connection
    const timer = setTimeout(() => stream.destroy(), closeTimeoutMs)
    this.ref()
    if (!this.#usable) stream.destroy()
    await this.#client.end()
    clearTimeout(timer)
  }

  get #socket(): Socket | null {
    const { stream } = this.#client.connection
    return stream instanceof Socket ? stream : null
  }

  /** As `#query`. */
  #queryAgain(config: QueryConfig, again: Again): Promise<QueryResult | Error> {
    return again().then(() => this.#query(config), toError)
  }

  /** Never rejects: resolves with an error instead. */
  #query(config: QueryConfig): Promise<QueryResult | Error> {
    this.#pending += 1
    return new Promise((resolve) => {
      this.#client.query(config, (error: Error | null, result: QueryResult) => {
        this.#pending -= 1
        resolve(error ?? result)
      })
    })
  }

  /** The result of a second attempt, if the prepared statement may be to blame for the failure. */
  async #recover(
    statement: BoundStatement,
    name: string,
    error: Error,
    again: Again | null,
  ): Promise<QueryResult | Error | null> {
    const { names } = this.#options
    const staleness = stalenessOf(serverReport(error))
    if (names === null || staleness === 'none') return null
    if (staleness === 'possible') {
      if (again === null) this.#possiblyStale.add(name)
      const response =
        again === null ? null : await this.#queryAgain(this.#configOf(statement, null), again)
      if (response !== null && !(response instanceof Error)) names.renew(statement.sql, name)
      return response
    }
    if (staleness === 'changed') names.renew(statement.sql, name)
    else names.renewForgotten(statement.sql, name)
    if (again === null) return null
    return this.#queryAgain(this.#configOf(statement, names.nameOf(statement.sql)), again)
  }

  // The driver copies all own properties of the object, at some cost. What stays the same is inherited.
  #configOf({ sql, values, raw }: BoundStatement, name: string | null): QueryConfig {
    const form = raw ? rawForm : plainForm
    if (name === null) return inherit(form, { text: sql, values: [...values] })
    const key = raw ? name : `${name} plain`
    const known = this.#prepared.get(key) ?? inherit(form, { text: sql, name })
    this.#prepared.set(key, known)
    return inherit(known, { values: [...values] })
  }

  #failure(error: Error, values: number): DatabaseError {
    if (this.#reason !== null) return new DatabaseError('E_CONNECTION_LOST', this.#reason)
    const report = serverReport(error)
    if (report === null || endsSession(report)) this.#break()
    if (report === null) return brokenError(error)
    return stalenessOf(report) === 'changed' ? changedError(report) : statementError(report, values)
  }

  #break(): void {
    this.#usable = false
    this.#client.connection.stream.destroy()
  }
}

// Not in the driver's types: with `extended` a text is a single statement.
const rawForm = { types: rawValues, rowMode: 'array', queryMode: 'extended' }
const plainForm = { types: plainValues, queryMode: 'extended' }

function inherit(from: object, own: Partial<QueryConfig>): QueryConfig {
  return Object.assign(Object.create(from), own)
}

// The server reports both ROLLBACK and ROLLBACK TO SAVEPOINT as ROLLBACK.
function isEnding(command: string, sql: string): boolean {
  return command === 'COMMIT' || (command === 'ROLLBACK' && !/\bto\b/i.test(sql))
}
