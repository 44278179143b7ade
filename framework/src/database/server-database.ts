import { RecentTexts } from '../base/encoding/recent-texts.ts'
import type { ConnectionSettings } from './connection-settings.ts'
import { BusyError, DatabaseError } from './database-error.ts'
import type { ConnectionPool, PooledConnection, Shareable } from './connection-pool.ts'
import { pendingOperation } from './operation.ts'
import type { Operation, Result } from './operation.ts'
import { withQueryLog } from './query-log.ts'
import type { QueryLog } from './query-log.ts'
import { repeatTransaction } from './transaction-options.ts'
import { StatementSurface } from './run-statement.ts'
import type { Dialect } from './sql/dialects/dialect.ts'
import type { Query } from './sql/plan/statement.ts'
import type { Database, Transaction, TransactionOptions } from './surface.ts'

/** A connection to a server. `Bound` is a statement that is ready to be sent. */
interface ServerConnection<Bound> extends PooledConnection {
  /** Whether a transaction may be open. */
  readonly mayBeInTransaction: boolean
  /** Sends a statement synchronously. @throws DatabaseError */
  send(statement: Bound): Promise<Result>
  /** Resolves when the server responds. */
  ping(): Promise<unknown>
}

const pingSeconds = 3
const maxReads = 500

/**
 * A database on a server. Without pipelining it declares itself serial, so that page mode sends its
 * count later; other statements still run concurrently on their own connections.
 */
export abstract class ServerDatabase<Bound, Connection extends ServerConnection<Bound>>
  extends StatementSurface
  implements Database
{
  readonly dialect: Dialect
  readonly kind = 'async'
  readonly serial: boolean
  readonly transactional = false
  readonly label: string
  protected readonly pool: ConnectionPool<Connection>
  protected readonly log: QueryLog | null
  readonly #send: (query: Query) => Operation
  /** By text; false for what is no read. */
  readonly #reads = new RecentTexts<Shareable | false>(maxReads)

  constructor(
    dialect: Dialect,
    { label, pipeline }: ConnectionSettings,
    pool: ConnectionPool<Connection>,
    log: QueryLog | null,
  ) {
    super()
    this.dialect = dialect
    this.label = label
    this.serial = !pipeline
    this.pool = pool
    this.log = log
    const send = (query: Query): Operation => {
      const statement = this.bind(query)
      const read = this.#readOf(query)
      const work = (line: Connection): Promise<Result> =>
        read === null ? this.sendAlone(line, statement) : this.sendPiped(line, statement)
      const response = pool.use(work, undefined, read)
      return pendingOperation(query, response)
    }
    this.#send = withQueryLog(send, log, dialect.system)
  }

  /** @throws InvalidArgumentException for values that cannot be bound. */
  protected abstract bind(query: Query): Bound

  /** One attempt at a transaction. */
  protected abstract attempt<T>(
    work: (transaction: Transaction) => Promise<T> | T,
    options: TransactionOptions,
  ): Promise<T>

  dispatch(query: Query): Operation {
    return this.#send(query)
  }

  pipeline(first: Query, second: Query): readonly [Operation, Operation] {
    if (this.serial) {
      throw new BusyError(
        'E_SURFACE_BUSY',
        'pipeline=off in the database URL forbids two statements on one connection; dispatch them separately',
      )
    }
    const [firstBound, secondBound] = [this.bind(first), this.bind(second)]
    const [one, other] = [Promise.withResolvers<Result>(), Promise.withResolvers<Result>()]
    const operations = [
      this.operation(first, () => one.promise),
      this.operation(second, () => other.promise),
    ] as const
    const send = async (connection: Connection): Promise<void> => {
      connection.gather()
      one.resolve(this.sendPiped(connection, firstBound))
      other.resolve(this.sendPiped(connection, secondBound))
      await Promise.allSettled([one.promise, other.promise])
      // It is unknown which statement began a transaction, and whether a failed one did.
      if (!connection.usable || !connection.mayBeInTransaction) return
      const rollback = this.bind({ sql: 'ROLLBACK', parameters: [] })
      await connection.send(rollback).catch(() => connection.destroy('the rollback failed'))
    }
    const sent = this.pool.use(send, undefined, this.#readOf(second) && this.#readOf(first))
    sent.catch((error: unknown) => {
      one.reject(error)
      other.reject(error)
    })
    return operations
  }

  protected override resultOf(query: Query): Promise<Result> {
    return this.dispatch(query).settled()
  }

  async transaction<T>(
    work: (transaction: Transaction) => Promise<T> | T,
    options: TransactionOptions = {},
  ): Promise<T> {
    return repeatTransaction(options, () => this.attempt(work, options))
  }

  ping(): Promise<void> {
    return this.pool.use(async (connection) => {
      const giveUp = (): void =>
        connection.destroy(`the database did not answer within ${pingSeconds} s`)
      const timer = setTimeout(giveUp, pingSeconds * 1000)
      try {
        await connection.ping()
      } finally {
        clearTimeout(timer)
      }
    }, pingSeconds)
  }

  close(): Promise<void> {
    return this.pool.close()
  }

  protected operation(query: Query, response: () => Promise<Result>): Operation {
    const send = (): Operation => pendingOperation(query, response())
    return withQueryLog(send, this.log, this.dialect.system)(query)
  }

  #readOf({ sql }: Query): Shareable | null {
    if (this.serial) return null
    return this.#reads.getOr(sql, (text) => isRead(text) && { lastMs: 0 }) || null
  }

  /** Outside a transaction. The connection must not return to the pool inside one. */
  protected async sendAlone(connection: Connection, statement: Bound): Promise<Result> {
    const result = await connection.send(statement)
    if (!connection.mayBeInTransaction) return result
    connection.destroy('an earlier statement started a transaction')
    throw new DatabaseError(
      'E_STATEMENT',
      'the statement started a transaction, which was rolled back; use database.transaction()',
    )
  }

  /** Sends one statement of a pipeline. */
  protected sendPiped(connection: Connection, statement: Bound): Promise<Result> {
    return this.sendAlone(connection, statement)
  }
}

// Any other function may change something, or wait for a lock that the sender of the next statement holds.
const harmless =
  'and|or|not|in|exists|as|on|from|join|where|by|having|select|all|any|over|case|when|then|else|like|between|' +
  'count|sum|min|max|avg|coalesce|lower|upper|cast|char|decimal|numeric'
const call = new RegExp(`(?<!\\b(?:${harmless}))(?<=[^\\s(),=<>+*/|-])\\s*\\(`, 'i')
const lockOrComment = /\b(?:for|into|lock)\b|--|\/\*|#/i

/** Whether a statement only reads, and without waiting for others. In doubt it does not. */
function isRead(sql: string): boolean {
  return /^select\b/i.test(sql) && !lockOrComment.test(sql) && !call.test(sql)
}
