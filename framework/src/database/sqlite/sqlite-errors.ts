import { FrameworkError, hasCode } from '../../base/errors.ts'
import { DatabaseError } from '../database-error.ts'

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

function failure(error: SqliteError): DatabaseError {
  const native = resultCodeName(error.errcode)
  const constraint = constraintOf(error.message)
  switch (error.errcode) {
    case 1555:
    case 2067:
    case 2579: {
      const text = `a row with the same ${constraint ?? 'unique value'} already exists`
      return new DatabaseError('E_DUPLICATE_KEY', text, { constraint, native })
    }
    case 787: {
      const text = 'a row refers to one that does not exist, or other rows refer to it'
      return new DatabaseError('E_FOREIGN_KEY', text, { native })
    }
    case 1299: {
      const text = `${constraint ?? 'a column'} must have a value, got NULL`
      return new DatabaseError('E_NOT_NULL', text, { constraint, native })
    }
    case 275: {
      const text = `a row violates the check ${constraint ?? 'of its table'}`
      return new DatabaseError('E_CHECK', text, { constraint, native })
    }
    case 1811:
      return new DatabaseError('E_CHECK', 'a trigger of the table rejected the row', { native })
    case 3091:
      return new DatabaseError('E_VALUE', error.message, { native })
    default:
      return primaryFailure(error, native)
  }
}

function primaryFailure({ errcode, message }: SqliteError, native: string): DatabaseError {
  // The low eight bits are the primary code.
  switch (errcode & 0xff) {
    case 1:
      return logicFailure(message, native)
    case 5:
    case 6:
      return new DatabaseError('E_DATABASE_BUSY', 'the database is locked', { native })
    case 18:
      return new DatabaseError('E_VALUE', 'a text or blob is too long for SQLite', { native })
    case 20:
      return new DatabaseError('E_VALUE', 'a value does not have the type of its column', {
        native,
      })
    default:
      return new DatabaseError(
        'E_DATABASE',
        reasons[errcode & 0xff] ?? `SQLite failed: ${native}`,
        {
          native,
        },
      )
  }
}

const reasons: Readonly<Record<number, string>> = {
  7: 'SQLite ran out of memory',
  8: 'the database is read-only: the file, its folder or the transaction does not allow writing',
  10: 'the disk failed while SQLite accessed the database file',
  11: 'the database file is damaged; restore it from a backup',
  13: 'the disk is full',
  14: 'a database file cannot be opened: check the path and the permissions of the file and its folder',
  26: 'the file is not an SQLite database',
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
