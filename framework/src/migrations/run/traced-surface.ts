import type { ObjectRow } from '../../database/sql/rows/declared-rows.ts'
import { objectRows } from '../../database/object-rows.ts'
import type { Operation, Result } from '../../database/operation.ts'
import type { Surface, Transaction, TransactionOptions } from '../../database/surface.ts'
import { toQuery } from '../../database/to-query.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { Query } from '../../database/sql/plan/query.ts'
import type { Statement } from '../../database/sql/plan/statement.ts'
import type { StepTrace } from './step-trace.ts'

/** The surface of a migration: notes each statement, also those of a `Repository`. */
export class TracedSurface implements Transaction {
  readonly dialect: Dialect
  readonly kind: Surface['kind']
  readonly serial = true
  readonly transactional = true
  readonly #surface: Surface
  readonly #trace: StepTrace

  constructor(surface: Surface, trace: StepTrace) {
    this.dialect = surface.dialect
    this.kind = surface.kind
    this.#surface = surface
    this.#trace = trace
  }

  dispatch(query: Query): Operation {
    this.#trace.noteStatement(query.sql)
    return this.#surface.dispatch(query)
  }

  pipeline(first: Query, second: Query): readonly [Operation, Operation] {
    return this.#surface.pipeline(first, second)
  }

  run(statement: Query | Statement<unknown>): Promise<Result> {
    this.#trace.noteStatement(toQuery(statement, this.dialect).sql)
    return this.#surface.run(statement)
  }

  async rows<Row = ObjectRow>(statement: Query | Statement<Row>): Promise<readonly Row[]> {
    return objectRows(await this.run(statement), statement)
  }

  transaction<T>(
    work: (transaction: Transaction) => Promise<T> | T,
    options?: TransactionOptions,
  ): Promise<T> {
    return this.#surface.transaction(
      (transaction) => work(new TracedSurface(transaction, this.#trace)),
      options,
    )
  }
}
