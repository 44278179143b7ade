import { FrameworkError } from '../base/errors.ts'
import type { ErrorCode } from '../base/error-codes.ts'
import type { SchemaIssue } from '../base/schema/standard-schema.ts'

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

/** The error for a statement after `close`. */
export function closedError(): DatabaseError {
  return new DatabaseError(
    'E_DATABASE_CLOSED',
    'the database has been closed; no statement can be sent',
  )
}

/** Catches the error of a row whose unique value another one has already; any other is thrown on. */
export function nullIfDuplicate(error: unknown): null {
  if (error instanceof DatabaseError && error.code === 'E_DUPLICATE_KEY') return null
  throw error
}

/** The rows of an operation were read while it was pending. */
export class PendingError extends FrameworkError {}

/**
 * Something that needs to wait was done in a synchronous call; the message names the right call.
 */
export class BridgeError extends FrameworkError {}

/** A serial surface, such as a transaction, got a second statement while one was pending. */
export class BusyError extends FrameworkError {}

/** The rows of a statement are not as it declares them. The statement itself was run. */
export class RowError extends FrameworkError {
  readonly #issues: readonly SchemaIssue[]

  constructor(message: string, issues: readonly SchemaIssue[] = []) {
    super('E_ROW', message)
    this.#issues = issues
  }

  /** What the schema says. Its messages may quote values, so logs do not show them. */
  get issues(): readonly SchemaIssue[] {
    return this.#issues
  }
}
