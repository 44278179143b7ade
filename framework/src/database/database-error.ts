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

  /** Whether the database is down or overloaded, as opposed to a wrong statement. */
  get unavailable(): boolean {
    return transient.has(this.code)
  }

  /** Whether the same work may succeed if repeated from its beginning. */
  get retryable(): boolean {
    return this.code === 'E_DEADLOCK' || this.code === 'E_DATABASE_BUSY'
  }
}

/** Failures that are about the state of the database, not about the statement. */
const transient: ReadonlySet<DatabaseFailure> = new Set([
  'E_CONNECTION_LOST',
  'E_DATABASE_BUSY',
  'E_DEADLOCK',
  'E_POOL_TIMEOUT',
  'E_STATEMENT_TIMEOUT',
])

/** What each failure means, on every database. */
const meanings: Readonly<Record<DatabaseFailure, string>> = {
  E_DUPLICATE_KEY: 'a row with the same unique value already exists',
  E_FOREIGN_KEY: 'a row refers to one that does not exist, or other rows refer to it',
  E_NOT_NULL: 'a column that must have a value got none',
  E_CHECK: 'a row violates a check of its table',
  E_VALUE: 'the database rejected a value',
  E_STATEMENT: 'the database rejected the statement',
  E_DEADLOCK: 'the transaction conflicted with another one and was rolled back; run it again',
  E_DATABASE_BUSY: 'another transaction held a lock for too long',
  E_STATEMENT_TIMEOUT:
    'the statement took longer than statement_timeout allows, or was stopped by an administrator',
  E_POOL_TIMEOUT: 'no connection became free',
  E_CONNECTION_LOST:
    'the connection to the database broke; pending statements may or may not have been executed',
  E_DATABASE_CLOSED: 'the database has been closed; no statement can be sent',
  E_TRANSACTION_ENDED: 'the transaction was ended by one of its own statements',
  E_DATABASE: 'the statement failed',
}

/** The error of a statement: what failed, what it is about, and why if that is known and safe to tell. */
export function failedStatement(
  code: DatabaseFailure,
  { constraint = null, native = null }: FailureDetails,
  reason?: string,
): DatabaseError {
  const about = constraint === null ? '' : ` (${constraint})`
  const why = reason === undefined ? '' : `: ${reason}`
  return new DatabaseError(code, `${meanings[code]}${about}${why}`, { constraint, native })
}

/**
 * Explains why a connection failed. The message of the driver is never repeated, and `label` is a
 * URL without user and password.
 */
export function failedConnection(
  label: string,
  native: string | null,
  reason: string | undefined,
): DatabaseError {
  const other = native ?? 'the connection was closed before it was ready'
  const isUntrusted = native !== null && /CERT|ERR_TLS|ER_TLS|SELF_SIGNED|SIGNATURE/.test(native)
  const why = isUntrusted ? `its certificate is not trusted (${native})` : (reason ?? other)
  return new DatabaseError('E_CONNECTION_LOST', `no connection to ${label}: ${why}`, { native })
}

/** The error for a statement after `close`. */
export function closedError(): DatabaseError {
  return failedStatement('E_DATABASE_CLOSED', {})
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
