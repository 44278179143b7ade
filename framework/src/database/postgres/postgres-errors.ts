import { toError } from '../../base/to-error.ts'
import { DatabaseError, failedConnection, failedStatement } from '../database-error.ts'
import type { DatabaseFailure } from '../database-error.ts'

/** An error report of the server. */
export interface ServerReport {
  /** SQLSTATE: the first two characters are the class. */
  readonly code: string
  readonly severity: string
  readonly message: string
  /** The constraint at fault, or the column. */
  readonly subject: string | null
  /** Whether the error was found while parsing the statement, before any value was used. */
  readonly hasPosition: boolean
  /** Function of the server that raised the error. */
  readonly routine: string
}

/** The report of a server error; null for an error of the connection itself. */
export function serverReport(error: Error): ServerReport | null {
  if (!('severity' in error)) return null
  const field = (name: string): string => {
    const value = Object.getOwnPropertyDescriptor(error, name)?.value
    return typeof value === 'string' ? value : ''
  }
  return {
    code: field('code'),
    severity: field('severity'),
    message: error.message,
    subject: field('constraint') || field('column') || null,
    hasPosition: field('position') !== '',
    routine: field('routine'),
  }
}

const codes: Readonly<Record<string, DatabaseFailure>> = {
  '23001': 'E_FOREIGN_KEY',
  '23502': 'E_NOT_NULL',
  '23503': 'E_FOREIGN_KEY',
  '23505': 'E_DUPLICATE_KEY',
  '23514': 'E_CHECK',
  '40001': 'E_DEADLOCK',
  '40P01': 'E_DEADLOCK',
  '53300': 'E_CONNECTION_LOST',
  '55P03': 'E_DATABASE_BUSY',
  '57014': 'E_STATEMENT_TIMEOUT',
  '57P01': 'E_CONNECTION_LOST',
  '57P02': 'E_CONNECTION_LOST',
  '57P03': 'E_CONNECTION_LOST',
  '57P05': 'E_CONNECTION_LOST',
}

const classes: Readonly<Record<string, DatabaseFailure>> = {
  '08': 'E_CONNECTION_LOST',
  '22': 'E_VALUE',
  '42': 'E_STATEMENT',
}

const reasons: Readonly<Record<string, string>> = {
  '0A000': 'it uses a feature that this server does not support',
  '22001': 'a text is too long for its column',
  '22003': 'a number is out of range',
  '22007': 'a date or time has the wrong format',
  '22008': 'a date or time is out of range',
  '22012': 'a division by zero',
  '22021': 'a text contains a NUL character or is not UTF-8',
  '22P02': 'a text is not a value of the type of its column',
  '22P05': 'a text contains a NUL character',
  '25006': 'the transaction is read-only',
  '25P02':
    'an earlier statement of the transaction failed; let its error end the transaction, or run it in a nested transaction',
  '26000': 'it was prepared on a connection that no longer has it; run the transaction again',
  '42501': 'the user of the connection is not allowed to do this',
  '42P10': 'no unique index matches the columns of ON CONFLICT',
  '53100': 'the disk of the server is full',
  '53200': 'the server is out of memory',
  '53300': 'the server accepts no more connections; lower pool= or raise its max_connections',
  '57P03': 'the server is starting or stopping',
}

/** Whether the session has ended, so that its connection can no longer be used. */
export function endsSession({ code, severity }: ServerReport): boolean {
  if (severity === 'FATAL' || severity === 'PANIC') return true
  return failureOf(code) === 'E_CONNECTION_LOST'
}

/**
 * Converts a failed statement to the common error. The message of the server is repeated only where
 * it cannot contain a bound value: for statements that failed to parse.
 */
export function statementError(report: ServerReport, values: number): DatabaseError {
  const { code, subject } = report
  const failure = endsSession(report) ? 'E_CONNECTION_LOST' : failureOf(code)
  const repeatable = failure === 'E_STATEMENT' && (report.hasPosition || values === 0)
  const reason = repeatable ? report.message : reasons[code]
  return failedStatement(failure, { constraint: subject, native: code }, reason)
}

/**
 * The error for a statement in a transaction whose table was changed since it was prepared. Only its next
 * use is prepared anew, so the transaction has to be run again.
 */
export function changedError({ code }: ServerReport): DatabaseError {
  return new DatabaseError(
    'E_DEADLOCK',
    'a table of the statement was changed while the transaction ran, and the transaction was rolled back; run it again',
    { native: code },
  )
}

/** The error for statements that were pending when their connection broke. */
export function brokenError(error: Error): DatabaseError {
  return failedStatement('E_CONNECTION_LOST', { native: codeOf(error) })
}

function failureOf(code: string): DatabaseFailure {
  return codes[code] ?? classes[code.slice(0, 2)] ?? 'E_DATABASE'
}

const connectReasons: Readonly<Record<string, string>> = {
  '28000': 'the server rejected the user',
  '28P01': 'the server rejected the user or the password',
  '3D000': 'the server has no database with that name',
  '42501': 'the user has no access to that database',
  '53300': 'the server accepts no more connections; lower pool= or raise its max_connections',
  '57P03': 'the server is starting or stopping',
  ECONNREFUSED: 'nothing is listening there',
  ENOTFOUND: 'there is no such host',
}

/** Messages of the driver, when the server has not responded. */
const driverReasons: readonly (readonly [RegExp, string])[] = [
  [/^timeout expired/, 'it did not answer within connect_timeout'],
  [/does not support SSL/, 'the server does not support TLS; remove tls= from the URL'],
  [/^SASL/, 'the password exchange with the server failed'],
]

/** Explains why a connection failed, without the message of the driver. */
export function connectError(error: unknown, label: string): DatabaseError {
  const cause = toError(error)
  const native = serverReport(cause)?.code ?? codeOf(cause)
  const known = driverReasons.find(([text]) => text.test(cause.message))?.[1]
  return failedConnection(label, native, known ?? connectReasons[native ?? ''])
}

function codeOf(error: Error): string | null {
  return 'code' in error && typeof error.code === 'string' ? error.code : null
}
