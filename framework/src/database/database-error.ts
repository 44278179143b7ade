import { FrameworkError } from '../base/errors.ts'
import type { ErrorCode } from '../base/error-codes.ts'

/** The codes of a failed statement, the same for all databases. */
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

/** Details of a failure. */
export interface FailureDetails {
  /** The constraint, index or column at fault, if the database names one. */
  readonly constraint?: string | null
  /** The native code of the database: an SQLSTATE, an error number or a name. */
  readonly native?: string | null
}

/**
 * A statement failed. The message never contains a bound value: the text of the driver is repeated
 * only where it cannot contain one.
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

  /** Whether the same work may succeed if repeated from its beginning. */
  get retryable(): boolean {
    return this.code === 'E_DEADLOCK' || this.code === 'E_DATABASE_BUSY'
  }
}
