import { setImmediate } from 'node:timers/promises'
import { asDeclared, objectRows, toQuery } from '../../src/database/run-statement.ts'
import type { ObjectRow } from '../../src/database/sql/plan/declared-rows.ts'
import { pendingOperation } from '../../src/database/operation.ts'
import type { Operation, Result } from '../../src/database/operation.ts'
import type { Surface, Transaction } from '../../src/database/surface.ts'
import { BusyError } from '../../src/database/database-error.ts'
import type { Dialect } from '../../src/database/sql/dialects/dialect.ts'
import type { Query, Statement } from '../../src/database/sql/plan/statement.ts'

/** How a recording surface differs from the wrapped one. */
export interface RecordingOptions {
  /** `async` delivers every result later, as a server does. */
  readonly kind?: Surface['kind']
  readonly serial?: boolean
  readonly transactional?: boolean
}

/** Wraps a surface and records which statements were sent together. */
export class RecordingSurface implements Surface {
  readonly dialect: Dialect
  readonly kind: Surface['kind']
  readonly serial: boolean
  readonly transactional: boolean
  /** Statements in the order they were sent, one list per flush. */
  readonly flushes: string[][] = []
  readonly #below: Surface
  #current: Operation | null = null

  constructor(below: Surface, options: RecordingOptions = {}) {
    const { kind = below.kind, serial = below.serial } = options
    this.dialect = below.dialect
    this.kind = kind
    this.serial = serial
    this.transactional = options.transactional ?? below.transactional
    this.#below = below
  }

  dispatch(query: Query): Operation {
    if (this.serial && this.#current?.state === 'pending') throw busy()
    this.flushes.push([query.sql])
    this.#current = this.#send(query)
    return this.#current
  }

  pipeline(first: Query, second: Query): readonly [Operation, Operation] {
    if (this.serial) throw busy()
    this.flushes.push([first.sql, second.sql])
    return [this.#send(first), this.#send(second)]
  }

  async run(statement: Query | Statement<unknown>): Promise<Result> {
    const result = await this.dispatch(toQuery(statement, this.dialect)).settled()
    return asDeclared(result, statement, this.dialect)
  }

  async rows<Row = ObjectRow>(statement: Query | Statement<Row>): Promise<readonly Row[]> {
    return objectRows(await this.run(statement), statement)
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T> | T): Promise<T> {
    return this.#below.transaction(work)
  }

  #send(query: Query): Operation {
    const operation = this.#below.dispatch(query)
    if (this.kind === 'sync') return operation
    return pendingOperation(
      query,
      setImmediate().then(() => operation.settled()),
    )
  }
}

function busy(): BusyError {
  return new BusyError('E_SURFACE_BUSY', 'one statement at a time')
}
