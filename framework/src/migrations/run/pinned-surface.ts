import type { ObjectRow } from '../../database/sql/rows/declared-rows.ts'
import type { Operation, Result } from '../../database/operation.ts'
import { SerialTransaction } from '../../database/serial-transaction.ts'
import type { TransactionConnection } from '../../database/serial-transaction.ts'
import type { Surface, Transaction } from '../../database/surface.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { Query } from '../../database/sql/plan/query.ts'
import type { Statement } from '../../database/sql/plan/statement.ts'

/**
 * A reserved connection outside any transaction, whose session state, such as a lock, survives the
 * transactions on it. It is built on a transaction that was committed immediately.
 */
export class PinnedSurface implements Surface {
  readonly dialect: Dialect
  readonly kind: Surface['kind']
  readonly serial = true
  // It belongs to a migration, which must be told of every failure.
  readonly transactional = true
  readonly #line: SerialTransaction
  readonly #connection: TransactionConnection

  constructor(line: SerialTransaction) {
    this.dialect = line.dialect
    this.kind = line.kind
    this.#line = line
    this.#connection = line.releaseControl()
  }

  dispatch(query: Query): Operation {
    return this.#line.dispatch(query)
  }

  pipeline(): never {
    return this.#line.pipeline()
  }

  run(statement: Query | Statement<unknown>): Promise<Result> {
    return this.#line.run(statement)
  }

  rows<Row = ObjectRow>(statement: Query | Statement<Row>): Promise<readonly Row[]> {
    return this.#line.rows(statement)
  }

  async transaction<T>(work: (transaction: Transaction) => Promise<T> | T): Promise<T> {
    await this.#command('START TRANSACTION')
    const send = (query: Query): Operation => this.#line.dispatch(query)
    const { dialect, kind, watch, keeps } = this.#connection
    const inner = new SerialTransaction({ dialect, kind, send, watch, keeps })
    try {
      const outcome = await work(inner)
      await inner.complete()
      // This statement fails in a failed transaction, while the COMMIT would not.
      if (this.dialect.hidesFailedCommit) await this.#command('SELECT 1')
      await this.#command('COMMIT')
      return outcome
    } catch (error) {
      inner.end()
      await inner.settled()
      // The first error is the one to report; a broken connection has rolled back anyway.
      await this.#command('ROLLBACK').catch(() => undefined)
      throw error
    }
  }

  #command(sql: string): Promise<Result> {
    return this.#line.run({ sql, parameters: [] })
  }
}
