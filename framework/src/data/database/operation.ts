import type { Query } from '../sql/plan/query.ts'
import { PendingError } from './surface-errors.ts'

/** What a statement gave back. */
export interface Result {
  /** Objects by column name, or lists of raw values when the query asked for those. */
  readonly rows: readonly unknown[]
  /** Rows that were inserted, changed or deleted; for a select, those that were read. */
  readonly affected: number
}

/**
 * A statement that was handed to a database. It is no promise on purpose: awaiting one by accident
 * would hide which driver needs the wait. `settled()` waits, `result` does not.
 */
export interface Operation {
  readonly query: Query
  readonly state: 'pending' | 'done' | 'failed'
  /**
   * What came back.
   * @throws PendingError while the answer is on its way, or the error the statement failed with.
   */
  readonly result: Result
  /** Resolves with the result, or rejects with the error the statement failed with. */
  settled(): Promise<Result>
}

/** An operation of a synchronous driver that worked. */
export function doneOperation(query: Query, result: Result): Operation {
  return { query, state: 'done', result, settled: () => Promise.resolve(result) }
}

/** An operation of a synchronous driver that failed. */
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

/** An operation whose answer comes later. A failure nobody waits for does not end the process. */
export function pendingOperation(query: Query, answer: Promise<Result>): Operation {
  return new PendingOperation(query, answer)
}

class PendingOperation implements Operation {
  readonly query: Query
  #state: Operation['state'] = 'pending'
  #result: Result | null = null
  #error: unknown = null
  readonly #answer: Promise<Result>

  constructor(query: Query, answer: Promise<Result>) {
    this.query = query
    this.#answer = answer
    answer.then(
      (result) => this.#succeed(result),
      (error: unknown) => this.#fail(error),
    )
  }

  get state(): Operation['state'] {
    return this.#state
  }

  get result(): Result {
    if (this.#result !== null) return this.#result
    if (this.#state === 'failed') throw this.#error
    throw new PendingError(
      'E_PENDING',
      'the rows of this operation are still on their way; wait for operation.settled() first',
    )
  }

  settled(): Promise<Result> {
    return this.#answer
  }

  #succeed(result: Result): void {
    this.#state = 'done'
    this.#result = result
  }

  #fail(error: unknown): void {
    this.#state = 'failed'
    this.#error = error
  }
}
