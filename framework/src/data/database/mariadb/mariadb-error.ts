import { DatabaseError } from '../database-error.ts'
import type { DatabaseFailure } from '../database-error.ts'
import { driverError, nativeCode } from './driver-error.ts'
import type { DriverError } from './driver-error.ts'
import { failureCode } from './failure-codes.ts'
import { statementWords } from './statement-words.ts'

/** A failed statement in the words all databases share. No bound value is in its text. */
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
      return `a row with the same value of the key${named} exists`
    case 'E_FOREIGN_KEY':
      return `${foreignKeyTexts.get(error.number) ?? foreignKeyText}${named && `, by${named}`}`
    case 'E_NOT_NULL':
      return `${constraint ?? 'a column'} must have a value, got NULL or nothing`
    case 'E_CHECK':
      return `a row breaks the check${named || ' of its table'}`
    case 'E_VALUE':
      return `the database refused a value${named && ` for${named}`}: ${valueText(error)}`
    case 'E_STATEMENT':
      return statementText(error, sql)
    case 'E_DEADLOCK':
      return 'the transaction stood against another one and was undone; do it again from its beginning'
    case 'E_DATABASE_BUSY':
      return 'a row or table stayed locked by another transaction for too long'
    case 'E_STATEMENT_TIMEOUT':
      return error.number === 1317
        ? 'the statement was stopped by somebody at the database'
        : 'the statement took longer than statement_timeout of the database URL and was stopped'
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

const foreignKeyText = 'a row refers to one that does not exist, or is referred to by others'
const foreignKeyTexts: ReadonlyMap<number, string> = new Map([
  [1216, 'a row refers to one that does not exist'],
  [1452, 'a row refers to one that does not exist'],
  [1217, 'a row is referred to by others'],
  [1451, 'a row is referred to by others'],
])

function valueText({ number, name }: DriverError): string {
  if (number === 1406) return 'it is too long'
  if (number === 1264 || number === 1690) return 'it is out of range'
  if (number === 1365) return 'it would be divided by zero'
  if (number === 1139) return 'it is no regular expression'
  if (number === 1153 || number === 1301 || name === 'ER_MAX_ALLOWED_PACKET') {
    return 'it is larger than max_allowed_packet of the server'
  }
  return 'it does not have the form that is needed there'
}

function statementText(error: DriverError, sql: string): string {
  const words = statementWords(error, sql)
  if (words !== null) return `MariaDB refused the statement: ${words}`
  return `MariaDB refused the statement (error ${nativeCode(error)})`
}

// Where the name stands at the end, what stands before it may be a value: each pattern is held to
// the end of the text.
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

function constraintOf({ number, words }: DriverError): string | null {
  return constraints.get(number)?.exec(words)?.groups?.['name'] ?? null
}

/** Whether the server hangs up with this error. */
export function endsSession({ code, native }: DatabaseError): boolean {
  return code === 'E_CONNECTION_LOST' || native === '1153'
}
