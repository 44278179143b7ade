import { setImmediate } from 'node:timers/promises'
import { StatementSurface } from '../../src/database/run-statement.ts'
import { pendingOperation } from '../../src/database/operation.ts'
import type { Operation, Result } from '../../src/database/operation.ts'
import type { Surface, Transaction } from '../../src/database/surface.ts'
import { BusyError } from '../../src/database/database-error.ts'
import type { Dialect } from '../../src/database/sql/dialects/dialect.ts'
import type { Query } from '../../src/database/sql/plan/statement.ts'

/** How a recording surface differs from the wrapped one. */
export interface RecordingOptions {
  /** `async` delivers every result later, as a server does. */
  readonly kind?: Surface['kind']
  readonly serial?: boolean
  readonly transactional?: boolean
}

/** Wraps a surface and records which statements were sent together. */
export class RecordingSurface extends StatementSurface implements Surface {
  readonly dialect: Dialect
  readonly kind: Surface['kind']
  readonly serial: boolean
  readonly transactional: boolean
  /** Statements in the order they were sent, one list per flush. */
  readonly flushes: string[][] = []
  readonly #below: Surface
  #current: Operation | null = null

  constructor(below: Surface, options: RecordingOptions = {}) {
    super()
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

  protected override resultOf(query: Query): Promise<Result> {
    return this.dispatch(query).settled()
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
