import { FrameworkError } from '../../base/errors.ts'
import type { ErrorCode } from '../../base/error-codes.ts'

/** The codes a failed statement can have, whichever database it failed on. */
export type DatabaseFailure = Extract<
  ErrorCode,
  | 'E_DUPLICATE_KEY'
  | 'E_FOREIGN_KEY'
  | 'E_NOT_NULL'
  | 'E_CHECK'
  | 'E_VALUE'
  | 'E_STATEMENT'
  | 'E_DEADLOCK'
  | 'E_DATABASE_BUSY'
  | 'E_STATEMENT_TIMEOUT'
  | 'E_POOL_TIMEOUT'
  | 'E_CONNECTION_LOST'
  | 'E_DATABASE_CLOSED'
  | 'E_TRANSACTION_ENDED'
  | 'E_DATABASE'
>

/** What is known of a failure beside its code. */
export interface FailureDetails {
  /** The constraint, index or column it is about, where the database names one. */
  readonly constraint?: string | null
  /** The database's own code: an SQLSTATE, an error number or a name. */
  readonly native?: string | null
}

/**
 * A statement failed. The text never holds a bound value: what a driver says is repeated only where
 * it can speak of nothing but the statement itself.
 */
export class DatabaseError extends FrameworkError {
  declare readonly code: DatabaseFailure
  readonly constraint: string | null
  readonly native: string | null

  constructor(code: DatabaseFailure, message: string, details: FailureDetails = {}) {
    super(code, message)
    this.constraint = details.constraint ?? null
    this.native = details.native ?? null
  }

  /** Whether the same work, done again from its beginning, may succeed. */
  get retryable(): boolean {
    return this.code === 'E_DEADLOCK' || this.code === 'E_DATABASE_BUSY'
  }
}
