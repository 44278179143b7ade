import { DatabaseError } from '../database-error.ts'
import type { DatabaseFailure } from '../database-error.ts'

/** What the server says of a failure beside its text. */
export interface ServerReport {
  /** SQLSTATE: the first two characters are the class. */
  readonly code: string
  readonly severity: string
  readonly message: string
  /** What it is about: a constraint, else a column. */
  readonly subject: string | null
  /** Whether it was found while reading the statement, before any value was looked at. */
  readonly hasPosition: boolean
  /** Function of the server that raised it. */
  readonly routine: string
}

/** The report of an error that the server sent; null for one that the connection itself met with. */
export function serverReport(error: Error): ServerReport | null {
  if (!('severity' in error)) return null
  const told = (name: string): string => {
    const value = Object.getOwnPropertyDescriptor(error, name)?.value
    return typeof value === 'string' ? value : ''
  }
  return {
    code: told('code'),
    severity: told('severity'),
    message: error.message,
    subject: told('constraint') || told('column') || null,
    hasPosition: told('position') !== '',
    routine: told('routine'),
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

const sentences: Readonly<Record<DatabaseFailure, string>> = {
  E_DUPLICATE_KEY: 'a row with the same unique value exists',
  E_FOREIGN_KEY: 'a row refers to one that does not exist, or is referred to by others',
  E_NOT_NULL: 'a column that must have a value got none',
  E_CHECK: 'a row breaks a check of its table',
  E_VALUE: 'the database refused a value',
  E_STATEMENT: 'the database refused the statement',
  E_DEADLOCK: 'the transaction stood against another one and was ended; run it again',
  E_DATABASE_BUSY: 'another transaction held a lock for too long',
  E_STATEMENT_TIMEOUT: 'the statement took longer than statement_timeout allows and was stopped',
  E_POOL_TIMEOUT: 'no connection became free',
  E_CONNECTION_LOST:
    'the connection to the database broke; what was under way may or may not be done',
  E_DATABASE_CLOSED: 'the database was closed',
  E_TRANSACTION_ENDED: 'the transaction was ended by a statement of its own',
  E_DATABASE: 'the statement failed',
}

const reasons: Readonly<Record<string, string>> = {
  '0A000': 'it asks for something this server does not support',
  '22001': 'a text is too long for its column',
  '22003': 'a number is out of range',
  '22007': 'a date or time has the wrong form',
  '22008': 'a date or time is out of range',
  '22012': 'a division by zero',
  '22021': 'a text holds a NUL character or is no UTF-8',
  '22P02': 'a text is no value of the type of its column',
  '22P05': 'a text holds a NUL character',
  '25006': 'the transaction was begun to read only',
  '25P02':
    'an earlier statement of the transaction failed; let its error end the transaction, or put it into a transaction inside',
  '26000': 'it was prepared on a connection that has forgotten it; run the transaction again',
  '42501': 'the user of the connection may not do this',
  '42P10': 'no unique index fits the columns of ON CONFLICT',
  '53100': 'the disk of the server is full',
  '53200': 'the server has no memory left',
  '53300': 'the server gives no more connections; lower pool= or raise its max_connections',
  '57P03': 'the server is starting or stopping',
}

/** Whether the session is over, so that nothing may be sent on its connection. */
export function endsSession({ code, severity }: ServerReport): boolean {
  if (severity === 'FATAL' || severity === 'PANIC') return true
  return failureOf(code) === 'E_CONNECTION_LOST'
}

/**
 * The failure of a statement in our words. The server's own text is repeated only when it cannot
 * hold a bound value: of statements it could not understand, before it looked at values.
 */
export function statementError(report: ServerReport, values: number): DatabaseError {
  const { code, subject } = report
  const failure = endsSession(report) ? 'E_CONNECTION_LOST' : failureOf(code)
  const repeatable = failure === 'E_STATEMENT' && (report.hasPosition || values === 0)
  const reason = repeatable ? report.message : reasons[code]
  const about = subject === null ? '' : ` (${subject})`
  const why = reason === undefined ? '' : `: ${reason}`
  return new DatabaseError(failure, `${sentences[failure]}${about}${why}`, {
    constraint: subject,
    native: code,
  })
}

/** The failure of what was under way when its connection broke. */
export function brokenError(error: Error): DatabaseError {
  const native = 'code' in error && typeof error.code === 'string' ? error.code : null
  return new DatabaseError('E_CONNECTION_LOST', sentences.E_CONNECTION_LOST, { native })
}

function failureOf(code: string): DatabaseFailure {
  return codes[code] ?? classes[code.slice(0, 2)] ?? 'E_DATABASE'
}
