import { Socket } from 'node:net'
import type { Client, CustomTypesConfig, QueryConfig, QueryResult } from 'pg'
import { DatabaseError } from '../database-error.ts'
import type { Result } from '../operation.ts'
import { connectError } from './connect-error.ts'
import type { PooledConnection } from '../connection-pool.ts'
import type { BoundStatement } from './postgres-bindings.ts'
import { brokenError, endsSession, serverReport, statementError } from './postgres-error.ts'
import { plainValues, rawValues } from './postgres-rows.ts'
import { stalenessOf } from './staleness.ts'
import type { StatementNames } from './statement-names.ts'

/** How a connection is used. */
export interface ConnectionOptions {
  /** URL without password, for messages. */
  readonly label: string
  /** Null when statements are not to stay prepared. */
  readonly names: StatementNames | null
  /** Seconds without any sign of the server after which a statement is given up; 0 is never. */
  readonly silence: number
}

const farewellMs = 1_000

/** One connection to PostgreSQL. What breaks it fails the statements under way and nothing else. */
export class PostgresConnection implements PooledConnection {
  readonly #client: Client
  readonly #options: ConnectionOptions
  #usable = true
  #reason: string | null = null
  #pending = 0
  #heard = { bytes: 0, atMs: 0 }
  #endings = 0
  /** Names whose statements failed inside a transaction and may be out of date. */
  readonly #doubted = new Set<string>()

  // Without a listener from its birth on, a server that goes away would end the process.
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
   * Connects a client that nobody has used.
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

  /** Whether it stood outside any transaction when it last answered. */
  get isIdle(): boolean {
    return this.#client.getTransactionStatus() === 'I'
  }

  /** How many statements, not commands, have ended a transaction so far; some begin the next at once. */
  get endings(): number {
    return this.#endings
  }

  /**
   * Sends a statement within the call. With `again`, for use outside a transaction, one that the
   * server did not run because what it had prepared is out of date is sent once more. Inside one the
   * error stands, and the next use works.
   * @throws DatabaseError
   */
  async send(statement: BoundStatement, again: boolean): Promise<Result> {
    const known = this.#options.names?.nameOf(statement.sql) ?? null
    const name = !again && known !== null && this.#doubted.has(known) ? null : known
    let answer = await this.#ask(configOf(statement, name))
    if (answer instanceof Error && name !== null) {
      answer = (await this.#recover(statement, name, answer, again)) ?? answer
    }
    if (answer instanceof Error) throw this.#failure(answer, statement.values.length)
    if (isEnding(answer.command, statement.sql)) this.#endings += 1
    return { rows: answer.rows, affected: answer.rowCount ?? 0 }
  }

  /**
   * Sends a command such as COMMIT and resolves with the one that the server carried out.
   * @throws DatabaseError
   */
  async command(sql: string): Promise<string> {
    const answer = await this.#ask({ text: sql })
    if (answer instanceof Error) throw this.#failure(answer, 0)
    return answer.command
  }

  /** Puts everything that `send` sends into one write to the network. */
  together<T>(send: () => T): T {
    const { stream } = this.#client.connection
    stream.cork()
    try {
      return send()
    } finally {
      stream.uncork()
    }
  }

  /** Breaks the connection because its state is unknown; what is under way fails with the reason. */
  destroy(reason: string): void {
    this.#reason ??= reason
    this.#break()
  }

  hold(): void {
    this.#socket?.ref()
  }

  rest(): void {
    this.#socket?.unref()
  }

  // The server stops a statement at its timeout; a server that does not even do that is gone.
  watch(): void {
    const { silence } = this.#options
    if (silence === 0 || this.#pending === 0) return
    const bytes = this.#socket?.bytesRead ?? 0
    if (bytes !== this.#heard.bytes) this.#heard = { bytes, atMs: Date.now() }
    else if (Date.now() - this.#heard.atMs > silence * 1000) {
      this.destroy(`the database gave no sign for ${silence} s; the connection was given up`)
    }
  }

  async close(): Promise<void> {
    const { stream } = this.#client.connection
    const impatient = setTimeout(() => stream.destroy(), farewellMs)
    this.hold()
    if (!this.#usable) stream.destroy()
    await this.#client.end()
    clearTimeout(impatient)
  }

  get #socket(): Socket | null {
    const { stream } = this.#client.connection
    return stream instanceof Socket ? stream : null
  }

  /** Never rejects: what went wrong is the answer. */
  #ask(config: QueryConfig): Promise<QueryResult | Error> {
    if (this.#pending === 0) this.#heard = { bytes: -1, atMs: Date.now() }
    this.#pending += 1
    return new Promise((resolve) => {
      this.#client.query(config, (error: Error | null, result: QueryResult) => {
        this.#pending -= 1
        resolve(error ?? result)
      })
    })
  }

  /** The answer of a second attempt where the first one may have failed for being prepared before. */
  async #recover(
    statement: BoundStatement,
    name: string,
    error: Error,
    again: boolean,
  ): Promise<QueryResult | Error | null> {
    const { names } = this.#options
    const staleness = stalenessOf(serverReport(error))
    if (names === null || staleness === 'none') return null
    if (staleness === 'possible') {
      if (!again) this.#doubted.add(name)
      const answer = again ? await this.#ask(configOf(statement, null)) : null
      if (answer !== null && !(answer instanceof Error)) names.renew(statement.sql, name)
      return answer
    }
    if (staleness === 'changed') names.renew(statement.sql, name)
    else names.renewForgotten(statement.sql, name)
    return again ? this.#ask(configOf(statement, names.nameOf(statement.sql))) : null
  }

  #failure(error: Error, values: number): DatabaseError {
    if (this.#reason !== null) return new DatabaseError('E_CONNECTION_LOST', this.#reason)
    const report = serverReport(error)
    if (report === null || endsSession(report)) this.#break()
    return report === null ? brokenError(error) : statementError(report, values)
  }

  #break(): void {
    this.#usable = false
    this.#client.connection.stream.destroy()
  }
}

/**
 * A statement for the driver, which copies every property an object has of its own before it looks
 * at it: so what is alike in all of them stands behind, in the class.
 */
class RawStatement implements QueryConfig {
  readonly text: string
  readonly values: (string | Buffer | null)[]
  readonly name?: string

  constructor({ sql, values }: BoundStatement, name: string | null) {
    this.text = sql
    this.values = [...values]
    if (name !== null) this.name = name
  }

  get types(): CustomTypesConfig {
    return rawValues
  }

  get rowMode(): 'array' | undefined {
    return 'array'
  }

  // Beyond what the driver's types know: the protocol that takes one statement at a time.
  get queryMode(): 'extended' {
    return 'extended'
  }
}

class PlainStatement extends RawStatement {
  override get types(): CustomTypesConfig {
    return plainValues
  }

  override get rowMode(): undefined {
    return undefined
  }
}

function configOf(statement: BoundStatement, name: string | null): QueryConfig {
  return statement.raw ? new RawStatement(statement, name) : new PlainStatement(statement, name)
}

// The server calls both ROLLBACK and ROLLBACK TO SAVEPOINT by the same word.
function isEnding(command: string, sql: string): boolean {
  return command === 'COMMIT' || (command === 'ROLLBACK' && !/\bto\b/i.test(sql))
}
