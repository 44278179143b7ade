import type { ObjectRow } from '../database/object-rows.ts'
import type { Operation, Result } from '../database/operation.ts'
import { SerialTransaction } from '../database/serial-transaction.ts'
import type { Surface, Transaction } from '../database/surface.ts'
import type { Dialect } from '../sql/dialects/dialect.ts'
import type { Query } from '../sql/plan/query.ts'
import type { Statement } from '../sql/plan/statement.ts'

/**
 * One connection for itself, outside any transaction: what belongs to its session, such as a lock,
 * stays while transactions on it come and go. It stands on a transaction that was committed at once.
 */
export class PinnedSurface implements Surface {
  readonly dialect: Dialect
  readonly kind: Surface['kind']
  readonly serial = true
  // It belongs to a migration, which must hear of every failure.
  readonly transactional = true
  readonly #line: SerialTransaction
  readonly #watch: () => () => boolean

  constructor(line: SerialTransaction) {
    this.dialect = line.dialect
    this.kind = line.kind
    this.#line = line
    this.#watch = line.takeByHand().watch
  }

  dispatch(query: Query): Operation {
    return this.#line.dispatch(query)
  }

  pipeline(): never {
    return this.#line.pipeline()
  }

  run(statement: Query | Statement): Promise<Result> {
    return this.#line.run(statement)
  }

  rows(statement: Query | Statement): Promise<readonly ObjectRow[]> {
    return this.#line.rows(statement)
  }

  async transaction<T>(work: (transaction: Transaction) => Promise<T> | T): Promise<T> {
    await this.#command('START TRANSACTION')
    const send = (query: Query): Operation => this.#line.dispatch(query)
    const inner = new SerialTransaction({
      dialect: this.dialect,
      kind: this.kind,
      send,
      watch: this.#watch,
    })
    try {
      const outcome = await work(inner)
      await inner.complete()
      // A statement that fails where the COMMIT of a failed transaction would not.
      if (this.dialect.hidesFailedCommit) await this.#command('SELECT 1')
      await this.#command('COMMIT')
      return outcome
    } catch (error) {
      inner.end()
      await inner.settled()
      // The first error is the one to tell; a connection that broke has undone everything anyway.
      await this.#command('ROLLBACK').catch(() => undefined)
      throw error
    }
  }

  #command(sql: string): Promise<Result> {
    return this.#line.run({ sql, parameters: [] })
  }
}
