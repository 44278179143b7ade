import { mariadb } from '../../sql/dialects/mariadb.ts'
import type { Dialect } from '../../sql/dialects/dialect.ts'
import type { Query } from '../../sql/plan/query.ts'
import type { Statement } from '../../sql/plan/statement.ts'
import { DatabaseError } from '../database-error.ts'
import { objectRows } from '../object-rows.ts'
import type { ObjectRow } from '../object-rows.ts'
import { pendingOperation } from '../operation.ts'
import type { Operation, Result } from '../operation.ts'
import type { ConnectionPool } from '../connection-pool.ts'
import { recorded } from '../query-log.ts'
import type { QueryLog } from '../query-log.ts'
import type { Database, Transaction, TransactionOptions } from '../surface.ts'
import { BusyError } from '../surface-errors.ts'
import { toQuery } from '../to-query.ts'
import type { MariadbConnection } from './mariadb-connection.ts'
import type { BoundStatement, StatementBinder } from './mariadb-statement.ts'
import { inTransaction } from './mariadb-transaction.ts'

/** What a database of MariaDB is made of. */
export interface MariadbParts {
  readonly label: string
  readonly pool: ConnectionPool<MariadbConnection>
  readonly binder: StatementBinder
  /** Whether two statements may be under way on one connection. */
  readonly pipeline: boolean
  readonly log: QueryLog | null
}

const pingSeconds = 3

/**
 * A database of MariaDB or MySQL. Without pipelining it calls itself serial, so that page mode sends
 * its count later; statements still take a connection each and do not wait for one another.
 */
export class MariadbDatabase implements Database {
  readonly dialect: Dialect = mariadb
  readonly kind = 'async'
  readonly serial: boolean
  readonly transactional = false
  readonly label: string
  readonly #pool: ConnectionPool<MariadbConnection>
  readonly #binder: StatementBinder
  readonly #log: QueryLog | null

  constructor({ label, pool, binder, pipeline, log }: MariadbParts) {
    this.label = label
    this.serial = !pipeline
    this.#pool = pool
    this.#binder = binder
    this.#log = log
  }

  /** @throws InvalidArgumentException for values that cannot be bound. */
  dispatch(query: Query): Operation {
    const statement = this.#binder.bind(query)
    return this.#operation(query, () =>
      this.#pool.use((connection) => sendAlone(connection, statement)),
    )
  }

  /** @throws InvalidArgumentException for values that cannot be bound; BusyError with pipeline=off. */
  pipeline(first: Query, second: Query): readonly [Operation, Operation] {
    if (this.serial) {
      throw new BusyError(
        'E_SURFACE_BUSY',
        'pipeline=off in the URL of this database forbids two statements on one connection; dispatch them',
      )
    }
    const [firstBound, secondBound] = [this.#binder.bind(first), this.#binder.bind(second)]
    const [one, other] = [Promise.withResolvers<Result>(), Promise.withResolvers<Result>()]
    const operations = [
      this.#operation(first, () => one.promise),
      this.#operation(second, () => other.promise),
    ] as const
    const sent = this.#pool.use(async (connection) => {
      connection.together(() => {
        one.resolve(connection.send(firstBound))
        other.resolve(connection.send(secondBound))
      })
      await Promise.allSettled([one.promise, other.promise])
      await this.#leaveTransaction(connection)
    })
    sent.catch((error: unknown) => {
      one.reject(error)
      other.reject(error)
    })
    return operations
  }

  async run(statement: Query | Statement): Promise<Result> {
    return this.dispatch(toQuery(statement, this.dialect)).settled()
  }

  async rows(statement: Query | Statement): Promise<readonly ObjectRow[]> {
    return objectRows(await this.run(statement))
  }

  transaction<T>(
    work: (transaction: Transaction) => Promise<T> | T,
    options: TransactionOptions = {},
  ): Promise<T> {
    return this.#pool.use(async (connection) => {
      const send = (query: Query): Operation => {
        const statement = this.#binder.bind(query)
        return this.#operation(query, () => connection.send(statement))
      }
      try {
        return await inTransaction(send, work, options, () => connection.mayBeInTransaction)
      } finally {
        if (connection.usable && connection.mayBeInTransaction) {
          connection.destroy('the transaction could not be ended')
        }
      }
    })
  }

  ping(): Promise<void> {
    const select = this.#binder.bind({ sql: 'SELECT 1', parameters: [] })
    return this.#pool.use((connection) => ping(connection, select), pingSeconds)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  #operation(query: Query, answer: () => Promise<Result>): Operation {
    return recorded(() => pendingOperation(query, answer()), this.#log)(query)
  }

  // Which of two statements began a transaction cannot be told, nor whether one that failed did not.
  async #leaveTransaction(connection: MariadbConnection): Promise<void> {
    if (!connection.usable || !connection.mayBeInTransaction) return
    const rollback = this.#binder.bind({ sql: 'ROLLBACK', parameters: [] })
    await connection.send(rollback).catch(() => connection.destroy('it could not be rolled back'))
  }
}

/** Outside a transaction. The next user of the connection must not find itself inside one. */
async function sendAlone(
  connection: MariadbConnection,
  statement: BoundStatement,
): Promise<Result> {
  const result = await connection.send(statement)
  if (!connection.mayBeInTransaction) return result
  connection.destroy('a statement before this one began a transaction by itself')
  throw new DatabaseError(
    'E_STATEMENT',
    'the statement began a transaction, which was rolled back at once; use database.transaction()',
  )
}

async function ping(connection: MariadbConnection, select: BoundStatement): Promise<void> {
  const timer = setTimeout(
    () => connection.destroy(`the database did not answer within ${pingSeconds} s`),
    pingSeconds * 1000,
  )
  try {
    await connection.send(select)
  } finally {
    clearTimeout(timer)
  }
}
