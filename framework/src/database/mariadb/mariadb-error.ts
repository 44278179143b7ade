import { DatabaseError } from '../database-error.ts'
import type { DatabaseFailure } from '../database-error.ts'
import { driverError, nativeCode } from './driver-error.ts'
import type { DriverError } from './driver-error.ts'
import { failureCode } from './failure-codes.ts'
import { safeServerMessage } from './safe-server-message.ts'

/** Converts a failed statement to the common error. The message contains no bound value. */
export function statementError(thrown: unknown, sql: string): DatabaseError {
  const error = driverError(thrown)
  const code = failureCode(error)
  const constraint = constraintOf(error)
  const text = textOf(code, error, constraint, sql)
  return new DatabaseError(code, text, { constraint, native: nativeCode(error) })
}

function textOf(
  code: DatabaseFailure,
  error: DriverError,
  constraint: string | null,
  sql: string,
): string {
  const named = constraint === null ? '' : ` ${constraint}`
  switch (code) {
    case 'E_DUPLICATE_KEY':
      return `a row with the same value for the key${named} already exists`
    case 'E_FOREIGN_KEY':
      return `${foreignKeyTexts.get(error.number) ?? foreignKeyText}${named && `, by${named}`}`
    case 'E_NOT_NULL':
      return `${constraint ?? 'a column'} must have a value, got NULL or nothing`
    case 'E_CHECK':
      return `a row violates the check${named || ' of its table'}`
    case 'E_VALUE':
      return `the database rejected a value${named && ` for${named}`}: ${valueText(error)}`
    case 'E_STATEMENT':
      return statementText(error, sql)
    case 'E_DEADLOCK':
      return 'the transaction conflicted with another one and was rolled back; run it again from the start'
    case 'E_DATABASE_BUSY':
      return 'a row or table stayed locked by another transaction for too long'
    case 'E_STATEMENT_TIMEOUT':
      return error.number === 1317
        ? 'the statement was stopped by an administrator of the database'
        : 'the statement took longer than statement_timeout in the database URL and was stopped'
    case 'E_CONNECTION_LOST':
      return `the connection to the database broke (${nativeCode(error)})`
    case 'E_DATABASE':
    case 'E_DATABASE_CLOSED':
    case 'E_POOL_TIMEOUT':
    case 'E_TRANSACTION_ENDED':
      break
  }
  return `the database could not run the statement (error ${nativeCode(error) ?? 'unknown'})`
}

const foreignKeyText = 'a row refers to one that does not exist, or other rows refer to it'
const foreignKeyTexts: ReadonlyMap<number, string> = new Map([
  [1216, 'a row refers to one that does not exist'],
  [1452, 'a row refers to one that does not exist'],
  [1217, 'other rows refer to this row'],
  [1451, 'other rows refer to this row'],
])

function valueText({ number, name }: DriverError): string {
  if (number === 1406) return 'it is too long'
  if (number === 1264 || number === 1690) return 'it is out of range'
  if (number === 1365) return 'it causes a division by zero'
  if (number === 1139) return 'it is not a regular expression'
  if (number === 1153 || number === 1301 || name === 'ER_MAX_ALLOWED_PACKET') {
    return 'it is larger than max_allowed_packet of the server'
  }
  return 'it has the wrong format'
}

function statementText(error: DriverError, sql: string): string {
  const message = safeServerMessage(error, sql)
  if (message !== null) return `MariaDB rejected the statement: ${message}`
  return `MariaDB rejected the statement (error ${nativeCode(error)})`
}

// The text before the name may contain a value, so each pattern is anchored at an end.
const constraints: ReadonlyMap<number, RegExp> = new Map([
  [1062, /for key '(?<name>[^']+)'$/],
  [1586, /for key '(?<name>[^']+)'$/],
  [1216, /, CONSTRAINT `(?<name>[^`]+)` FOREIGN KEY/],
  [1217, /, CONSTRAINT `(?<name>[^`]+)` FOREIGN KEY/],
  [1451, /, CONSTRAINT `(?<name>[^`]+)` FOREIGN KEY/],
  [1452, /, CONSTRAINT `(?<name>[^`]+)` FOREIGN KEY/],
  [1048, /^Column '(?<name>[^']+)' cannot be null$/],
  [1364, /^Field '(?<name>[^']+)' doesn't have a default value$/],
  [4025, /^CONSTRAINT `(?<name>[^`]+)` failed for /],
  [3819, /^Check constraint '(?<name>[^']+)' is violated\.$/],
  [1264, /for column '(?<name>[^']+)' at row \d+$/],
  [1265, /for column '(?<name>[^']+)' at row \d+$/],
  [1406, /for column '(?<name>[^']+)' at row \d+$/],
  [1292, /`\.`(?<name>[^`]+)` at row \d+$/],
  [1366, /`\.`(?<name>[^`]+)` at row \d+$/],
])

function constraintOf({ number, serverMessage }: DriverError): string | null {
  return constraints.get(number)?.exec(serverMessage)?.groups?.['name'] ?? null
}

/** Whether the server closes the connection after this error. */
export function endsSession({ code, native }: DatabaseError): boolean {
  return code === 'E_CONNECTION_LOST' || native === '1153'
}
