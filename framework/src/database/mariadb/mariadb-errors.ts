import { DatabaseError } from '../database-error.ts'
import type { DatabaseFailure } from '../database-error.ts'

/** Converts a failed statement to the common error. The message contains no bound value. */
export function statementError(thrown: unknown, sql: string): DatabaseError {
  const error = driverError(thrown)
  const code = failureCode(error)
  const constraint =
    constraints.get(error.number)?.exec(error.serverMessage)?.groups?.['name'] ?? null
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

/** Whether the server closes the connection after this error. */
export function endsSession({ code, native }: DatabaseError): boolean {
  return code === 'E_CONNECTION_LOST' || native === '1153'
}

/** Error numbers whose SQLSTATE class is too vague or misleading. */
const numbers: ReadonlyMap<number, DatabaseFailure> = new Map([
  ...each('E_DUPLICATE_KEY', 1022, 1062, 1169, 1586, 1859),
  ...each('E_FOREIGN_KEY', 1216, 1217, 1451, 1452, 1701, 1761, 1762),
  ...each('E_NOT_NULL', 1048, 1138, 1263, 1364),
  ...each('E_CHECK', 1369, 3819, 4025),
  ...each('E_VALUE', 1139, 1153, 1264, 1265, 1292, 1300, 1301, 1366, 1367, 1406, 1411, 1690, 1977),
  ...each('E_STATEMENT', 1193, 1210, 1235, 1290, 1295, 1792),
  ...each('E_DEADLOCK', 1020, 1213, 1614),
  ...each('E_DATABASE_BUSY', 1205, 3572),
  ...each('E_STATEMENT_TIMEOUT', 1317, 1969, 3024),
  ...each('E_CONNECTION_LOST', 1040, 1053, 1129, 1130, 1203, 1927),
  // A limit of the user, such as statements per hour: neither the statement nor the session is at
  // fault.
  ...each('E_DATABASE', 1226),
])

/** SQLSTATE classes. */
const classes: ReadonlyMap<string, DatabaseFailure> = new Map([
  ...each('E_CONNECTION_LOST', '08', '28'),
  ...each('E_VALUE', '22'),
  ...each('E_DEADLOCK', '40'),
  ...each('E_STATEMENT', '0A', '21', '25', '3D', '42'),
])

/** Driver errors about the statement, which leave the connection usable. */
const statementNames: ReadonlySet<string> = new Set([
  'ER_MISSING_PARAMETER',
  'ER_UNDEFINED_SQL',
  'ER_PREPARE_CLOSED',
])

/** The code of a failed statement. */
function failureCode(error: DriverError): DatabaseFailure {
  if (isServerError(error)) {
    return numbers.get(error.number) ?? classes.get(error.state.slice(0, 2)) ?? 'E_DATABASE'
  }
  if (error.name === 'ER_MAX_ALLOWED_PACKET') return 'E_VALUE'
  if (statementNames.has(error.name)) return 'E_STATEMENT'
  // Any other driver or system error means that the connection is unusable.
  return error.name === '' ? 'E_DATABASE' : 'E_CONNECTION_LOST'
}

function each<Key>(
  failure: DatabaseFailure,
  ...keys: readonly Key[]
): readonly (readonly [Key, DatabaseFailure])[] {
  return keys.map((key) => [key, failure])
}

const syntax = 1064

/** Errors whose messages contain only names. */
const aboutNames: ReadonlySet<number> = new Set([
  1046, 1049, 1050, 1051, 1052, 1054, 1055, 1060, 1061, 1065, 1066, 1072, 1091, 1109, 1136, 1146,
  1222, 1241, 1248, 1295, 1305, 1582, 1792,
])

/**
 * The message of MariaDB about a statement, or null if it may contain a bound value: a quoted part
 * is repeated only if it also occurs in the statement, which contains no values.
 */
function safeServerMessage({ number, serverMessage }: DriverError, sql: string): string | null {
  if (number === syntax) return syntaxMessage(serverMessage, sql)
  if (!aboutNames.has(number)) return null
  const quoted = [...serverMessage.matchAll(/'([^']*)'/g)]
  return quoted.every(([, name = '']) => isIn(sql, name)) ? serverMessage : null
}

/** Quotes the end of the statement, which may contain a value that was put into the text. */
function syntaxMessage(message: string, sql: string): string | null {
  const near = / near '(?<rest>.*)' at line (?<line>\d+)$/s.exec(message)
  const { rest = '', line = '' } = near?.groups ?? {}
  if (near === null) return null
  return sql.includes(rest) ? `wrong syntax near '${rest}' at line ${line}` : 'wrong syntax'
}

/** Table names are quoted with their database, and some words are the server's own. */
function isIn(sql: string, name: string): boolean {
  const last = name.slice(name.lastIndexOf('.') + 1)
  return sql.toLowerCase().includes(last.toLowerCase()) || clauses.has(name)
}

const clauses: ReadonlySet<string> = new Set([
  'WHERE',
  'SELECT',
  'ON',
  'SET',
  'ORDER BY',
  'GROUP BY',
  'HAVING',
  'field list',
  'where clause',
  'on clause',
  'order clause',
  'order statement',
  'group statement',
  'having clause',
  'partition function',
  'returning clause',
])

/**
 * Explains why a connection failed. The message of the driver is never repeated, and `label` is a
 * URL without user and password.
 */
export function connectError(thrown: unknown, label: string): DatabaseError {
  const error = driverError(thrown)
  const text = `no connection to ${label}: ${reasonOf(error)}`
  return new DatabaseError('E_CONNECTION_LOST', text, { native: nativeCode(error) })
}

const reasons: Readonly<Record<string, string>> = {
  '1040': 'the server accepts no more connections; lower pool= or raise its max_connections',
  '1044': 'the user has no access to that database',
  '1045': 'the server rejected the user or the password',
  '1049': 'the server has no database with that name',
  '1129': 'the server has blocked this machine after too many failed attempts',
  '1130': 'the server accepts no connections from this machine',
  '1203': 'the server accepts no more connections from this user; lower pool=',
  '1226': 'the user has exceeded a resource limit of the server',
  '1698': 'the server rejected the user or the password',
  ECONNREFUSED: 'nothing is listening there',
  ENOTFOUND: 'there is no such host',
  ER_CONNECTION_TIMEOUT: 'it did not answer within connect_timeout',
  ER_SERVER_SSL_DISABLED: 'the server does not support TLS; remove tls= from the URL',
}

function reasonOf(error: DriverError): string {
  const native = nativeCode(error)
  if (native === null) return 'the connection was closed before it was ready'
  if (/CERT|ERR_TLS|ER_TLS|SELF_SIGNED|SIGNATURE/.test(native)) {
    return `its certificate is not trusted (${native})`
  }
  return reasons[native] ?? native
}

/** An error of the driver, without its message, which contains the statement and its values. */
interface DriverError {
  /** Error number of the server or of the driver, or 0. */
  readonly number: number
  /** SQLSTATE, or empty. */
  readonly state: string
  /** Name of the error, from the system (such as ECONNREFUSED) or the driver. */
  readonly name: string
  /** The message of the server. It may contain values. */
  readonly serverMessage: string
}

const firstDriverNumber = 45_000

/** Reads an error thrown by the driver. */
function driverError(thrown: unknown): DriverError {
  const { errno, sqlState, code, sqlMessage } = Object(thrown)
  return {
    // System errors have negative numbers.
    number: typeof errno === 'number' && errno > 0 ? errno : 0,
    state: typeof sqlState === 'string' ? sqlState : '',
    name: typeof code === 'string' ? code : '',
    serverMessage: typeof sqlMessage === 'string' ? sqlMessage : '',
  }
}

/** Whether the error comes from the server, not from the driver or the system. */
function isServerError({ number }: DriverError): boolean {
  return number > 0 && number < firstDriverNumber
}

/** The code to show: the number of the server, or the name. */
function nativeCode(error: DriverError): string | null {
  if (isServerError(error)) return String(error.number)
  return error.name === '' ? null : error.name
}
