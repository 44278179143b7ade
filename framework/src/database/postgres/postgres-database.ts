import { Client } from 'pg'
import { postgres } from '../sql/dialects/postgres.ts'
import type { Dialect } from '../sql/dialects/dialect.ts'
import type { Query, Statement } from '../sql/plan/statement.ts'
import { BusyError, DatabaseError } from '../database-error.ts'
import type { Database, Notices, Transaction, TransactionOptions } from '../surface.ts'
import { asDeclared, objectRows, toQuery } from '../run-statement.ts'
import type { ObjectRow } from '../sql/plan/declared-rows.ts'
import { pendingOperation } from '../operation.ts'
import type { Operation, Result } from '../operation.ts'
import { withQueryLog } from '../query-log.ts'
import type { QueryLog } from '../query-log.ts'
import { repeatTransaction } from '../retry-on-deadlock.ts'
import type { ConnectionSettings } from '../connection-settings.ts'
import { ConnectionPool } from '../connection-pool.ts'
import { bindStatement, StatementNames } from './postgres-statement.ts'
import type { BoundStatement } from './postgres-statement.ts'
import { PostgresNotices } from './postgres-notices.ts'
import { inTransaction } from './postgres-transaction.ts'
import { clientConfig } from './postgres-client.ts'
import { PostgresConnection } from './postgres-connection.ts'

/** Seconds beyond `statement_timeout` to wait for the server. */
const graceSeconds = 5

/**
 * Opens a PostgreSQL database and makes a first connection, so that a wrong URL fails early.
 * @throws DatabaseError E_CONNECTION_LOST when no connection can be made.
 */
export async function openPostgres(
  settings: ConnectionSettings,
  log: QueryLog | null,
): Promise<Database> {
  const label = settings.label
  const config = clientConfig(settings)
  const client = (): Client => new Client(config)
  const { statementTimeout } = settings
  const connection = {
    label,
    names: settings.prepare ? new StatementNames() : null,
    silence: statementTimeout === 0 ? 0 : statementTimeout + graceSeconds,
  }
  const pool = new ConnectionPool({
    open: () => PostgresConnection.open(client(), connection),
    size: settings.pool,
    timeout: settings.poolTimeout,
  })
  await pool.use(() => Promise.resolve(), settings.connectTimeout + 1)
  return new PostgresDatabase({ label, pool, pipeline: settings.pipeline, log, client })
}

/** The parts of a `PostgresDatabase`. */
interface PostgresParts {
  readonly label: string
  readonly pool: ConnectionPool<PostgresConnection>
  /** Whether two statements may be pending on one connection. */
  readonly pipeline: boolean
  readonly log: QueryLog | null
  /** Makes a client for a connection outside the pool. */
  readonly client: () => Client
}

const pingSeconds = 3

/**
 * A PostgreSQL database. Without pipelining it declares itself serial, so that page mode sends its
 * count later; other statements still run concurrently on their own connections.
 */
class PostgresDatabase implements Database {
  readonly dialect: Dialect = postgres
  readonly kind = 'async'
  readonly serial: boolean
  readonly transactional = false
  readonly label: string
  readonly notices: Notices
  readonly #pool: ConnectionPool<PostgresConnection>
  readonly #log: QueryLog | null
  readonly #send: (query: Query) => Operation

  constructor({ label, pool, pipeline, log, client }: PostgresParts) {
    this.label = label
    this.serial = !pipeline
    this.#pool = pool
    this.#log = log
    this.notices = new PostgresNotices(client, (sql, parameters) => this.run({ sql, parameters }))
    this.#send = withQueryLog(
      (query) => {
        const statement = bindStatement(query)
        return pendingOperation(
          query,
          pool.use((connection) => sendAlone(connection, statement)),
        )
      },
      log,
      postgres.system,
    )
  }

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
    const [firstBound, secondBound] = [bindStatement(first), bindStatement(second)]
    const [one, other] = [Promise.withResolvers<Result>(), Promise.withResolvers<Result>()]
    const sent = this.#pool.use((connection) => {
      connection.batch(() => {
        one.resolve(sendAlone(connection, firstBound))
        other.resolve(sendAlone(connection, secondBound))
      })
      return Promise.allSettled([one.promise, other.promise])
    })
    sent.catch((error: unknown) => {
      one.reject(error)
      other.reject(error)
    })
    return [this.#operation(first, one.promise), this.#operation(second, other.promise)]
  }

  async run(statement: Query | Statement<unknown>): Promise<Result> {
    const result = await this.dispatch(toQuery(statement, this.dialect)).settled()
    return asDeclared(result, statement, this.dialect)
  }

  async rows<Row = ObjectRow>(statement: Query | Statement<Row>): Promise<readonly Row[]> {
    return objectRows(await this.run(statement), statement)
  }

  async transaction<T>(
    work: (transaction: Transaction) => Promise<T> | T,
    options: TransactionOptions = {},
  ): Promise<T> {
    return repeatTransaction(options, () =>
      this.#pool.use((connection) => inTransaction(connection, work, options, this.#log)),
    )
  }

  ping(): Promise<void> {
    return this.#pool.use(pingOn, pingSeconds)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  #operation(query: Query, response: Promise<Result>): Operation {
    const send = (): Operation => pendingOperation(query, response)
    return withQueryLog(send, this.#log, postgres.system)(query)
  }
}

const atOnce = (): Promise<void> => Promise.resolve()

/** Outside a transaction. The connection must not return to the pool inside one. */
async function sendAlone(
  connection: PostgresConnection,
  statement: BoundStatement,
): Promise<Result> {
  const result = await connection.send(statement, atOnce)
  if (connection.isIdle) return result
  connection.destroy('an earlier statement started a transaction')
  throw new DatabaseError(
    'E_STATEMENT',
    'the statement started a transaction, which was rolled back; use database.transaction()',
  )
}

async function pingOn(connection: PostgresConnection): Promise<void> {
  const timer = setTimeout(
    () => connection.destroy(`the database did not answer within ${pingSeconds} s`),
    pingSeconds * 1000,
  )
  try {
    await connection.command('SELECT 1')
  } finally {
    clearTimeout(timer)
  }
}
