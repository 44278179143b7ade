import { FrameworkError, hasCode } from '../../base/errors.ts'
import { DatabaseError, failedStatement } from '../database-error.ts'
import type { DatabaseFailure } from '../database-error.ts'

/** An error of `node:sqlite` with the result code of SQLite. */
interface SqliteError extends Error {
  readonly errcode: number
}

/** Whether it is SQLite's generic error, which it uses for a missing table or column. */
export function isLogicError(error: unknown): error is SqliteError {
  return isSqliteError(error) && error.errcode === 1
}

/**
 * The error of a statement that could not be prepared. No value is bound at that point, so the
 * message of SQLite is repeated.
 */
export function prepareFailure(error: unknown): Error {
  if (!isSqliteError(error)) return new DatabaseError('E_STATEMENT', 'the statement is empty')
  if (!isLogicError(error)) return runFailure(error)
  return new DatabaseError('E_STATEMENT', `SQLite rejected the statement: ${error.message}`, {
    native: resultCodeName(error.errcode),
  })
}

/**
 * The error of a statement that ran. Here the message of SQLite may contain a bound value (a wrong
 * JSON path, a full-text query), so it is used only where its form rules that out.
 */
export function runFailure(error: unknown): Error {
  if (isSqliteError(error)) return failure(error)
  if (error instanceof FrameworkError) return error
  if (hasCode(error, 'ERR_OUT_OF_RANGE')) {
    return new FrameworkError(
      'E_INTEGER_RANGE',
      'an integer in the result is beyond 2^53 and cannot be an exact number; read it with raw: true or cast it to text',
    )
  }
  return new DatabaseError('E_DATABASE', 'SQLite could not run the statement')
}

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
}

function failure({ errcode, message }: SqliteError): DatabaseError {
  const native = resultCodeName(errcode)
  // What a trigger says may be anything.
  const constraint = errcode === TRIGGER ? null : constraintOf(message)
  const ofRow = rowFailures[errcode]
  if (ofRow !== undefined) {
    const reason = errcode === TRIGGER ? 'a trigger of the table rejected it' : undefined
    return failedStatement(ofRow, { constraint, native }, reason)
  }
  if (errcode === DATATYPE) return new DatabaseError('E_VALUE', message, { native })
  // The low eight bits are the primary code.
  const primary = errcode & 0xff
  if (primary === 1) return logicFailure(message, native)
  const [code, text] = failures[primary] ?? ['E_DATABASE', `SQLite failed: ${native}`]
  return new DatabaseError(code, text, { native })
}

const TRIGGER = 1811
const DATATYPE = 3091

/** What is wrong with a row, by extended result code. */
const rowFailures: Readonly<Record<number, DatabaseFailure>> = {
  275: 'E_CHECK',
  787: 'E_FOREIGN_KEY',
  1299: 'E_NOT_NULL',
  1555: 'E_DUPLICATE_KEY',
  [TRIGGER]: 'E_CHECK',
  2067: 'E_DUPLICATE_KEY',
  2579: 'E_DUPLICATE_KEY',
}

/** By primary result code. */
const failures: Readonly<Record<number, readonly [code: DatabaseFailure, text: string]>> = {
  5: ['E_DATABASE_BUSY', 'the database is locked'],
  6: ['E_DATABASE_BUSY', 'the database is locked'],
  7: ['E_DATABASE', 'SQLite ran out of memory'],
  8: [
    'E_DATABASE',
    'the database is read-only: the file, its folder or the transaction does not allow writing',
  ],
  10: ['E_DATABASE', 'the disk failed while SQLite accessed the database file'],
  11: ['E_DATABASE', 'the database file is damaged; restore it from a backup'],
  13: ['E_DATABASE', 'the disk is full'],
  14: [
    'E_DATABASE',
    'a database file cannot be opened: check the path and the permissions of the file and its folder',
  ],
  18: ['E_VALUE', 'a text or blob is too long for SQLite'],
  20: ['E_VALUE', 'a value does not have the type of its column'],
  26: ['E_DATABASE', 'the file is not an SQLite database'],
}

// Constant texts of SQLite.
const valueTexts: ReadonlySet<string> = new Set([
  'integer overflow',
  'malformed JSON',
  'JSON cannot hold BLOB values',
  'ESCAPE expression must be a single character',
  'LIKE or GLOB pattern too complex',
])

const statementTexts: ReadonlySet<string> = new Set([
  'cannot VACUUM from within a transaction',
  'cannot change into wal mode from within a transaction',
  'cannot start a transaction within a transaction',
  'cannot commit - no transaction is active',
  'cannot rollback - no transaction is active',
])

function logicFailure(message: string, native: string): DatabaseError {
  if (valueTexts.has(message)) return new DatabaseError('E_VALUE', message, { native })
  if (statementTexts.has(message)) return new DatabaseError('E_STATEMENT', message, { native })
  return new DatabaseError(
    'E_DATABASE',
    'the statement failed; the message of SQLite may contain values and is left out',
    { native },
  )
}

// 'UNIQUE constraint failed: users.email', or "… failed: index 'users_by_name'" for an expression.
function constraintOf(message: string): string | null {
  const named = /^[A-Z ]+ constraint failed: (?:index '(?<index>.+)'|(?<name>.+))$/s.exec(message)
  return named?.groups?.['index'] ?? named?.groups?.['name'] ?? null
}

// Extended result codes as documented by SQLite; the low eight bits are the primary code.
const names: Readonly<Record<number, string>> = {
  1: 'SQLITE_ERROR',
  4: 'SQLITE_ABORT',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  9: 'SQLITE_INTERRUPT',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  15: 'SQLITE_PROTOCOL',
  17: 'SQLITE_SCHEMA',
  18: 'SQLITE_TOOBIG',
  19: 'SQLITE_CONSTRAINT',
  20: 'SQLITE_MISMATCH',
  23: 'SQLITE_AUTH',
  25: 'SQLITE_RANGE',
  26: 'SQLITE_NOTADB',
  261: 'SQLITE_BUSY_RECOVERY',
  275: 'SQLITE_CONSTRAINT_CHECK',
  517: 'SQLITE_BUSY_SNAPSHOT',
  787: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  1299: 'SQLITE_CONSTRAINT_NOTNULL',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  1811: 'SQLITE_CONSTRAINT_TRIGGER',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
  2579: 'SQLITE_CONSTRAINT_ROWID',
  3091: 'SQLITE_CONSTRAINT_DATATYPE',
}

/**
 * The name of an SQLite result code, such as `SQLITE_CONSTRAINT_UNIQUE`; with its number if
 * unknown.
 */
function resultCodeName(code: number): string {
  return names[code] ?? `${names[code & 0xff] ?? 'SQLITE'} (${code})`
}
