import type { Query } from './sql/plan/statement.ts'
import { PendingError } from './database-error.ts'

/** The result of a statement. */
export interface Result {
  /** Objects by column name, or lists of raw values if the query asked for those. */
  readonly rows: readonly unknown[]
  /** Rows inserted, changed or deleted; for a select, rows read. */
  readonly affected: number
  /** Present if the query asked for it. */
  readonly details?: ResultDetails
}

/** What most callers need not know about a result. */
export interface ResultDetails {
  /** The names of the columns in order, also without rows; none after a statement without a result. */
  readonly columns: readonly string[]
  /** The key that the database generated for an inserted row; null if it does not say. */
  readonly insertId: bigint | null
}

/**
 * A statement that was sent to a database. Deliberately not a promise: awaiting one by accident
 * would hide which drivers need to wait. `settled()` waits, `result` does not.
 */
export interface Operation {
  readonly query: Query
  readonly state: 'pending' | 'done' | 'failed'
  /**
   * The result.
   * @throws PendingError while the statement is pending, or the error it failed with.
   */
  readonly result: Result
  /** Resolves with the result, or rejects with the error of the statement. */
  settled(): Promise<Result>
}

/** A successful operation of a synchronous driver. */
export function doneOperation(query: Query, result: Result): Operation {
  return { query, state: 'done', result, settled: () => Promise.resolve(result) }
}

/** A failed operation of a synchronous driver. */
export function failedOperation(query: Query, error: Error): Operation {
  return {
    query,
    state: 'failed',
    get result(): Result {
      throw error
    },
    settled: () => Promise.reject(error),
  }
}

/** An operation that settles later. An unhandled failure does not end the process. */
export function pendingOperation(query: Query, response: Promise<Result>): Operation {
  return new PendingOperation(query, response)
}

class PendingOperation implements Operation {
  readonly query: Query
  state: Operation['state'] = 'pending'
  #result: Result | null = null
  #error: unknown = null
  readonly #response: Promise<Result>

  constructor(query: Query, response: Promise<Result>) {
    this.query = query
    this.#response = response
    const succeed = (result: Result): void => {
      this.state = 'done'
      this.#result = result
    }
    response.then(succeed, (error: unknown) => {
      this.state = 'failed'
      this.#error = error
    })
  }

  get result(): Result {
    if (this.#result !== null) return this.#result
    if (this.state === 'failed') throw this.#error
    throw new PendingError(
      'E_PENDING',
      'this operation is still pending; await operation.settled() first',
    )
  }

  settled(): Promise<Result> {
    return this.#response
  }
}
