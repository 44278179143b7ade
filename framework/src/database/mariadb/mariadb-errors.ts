import { failedConnection, failedStatement } from '../database-error.ts'
import type { DatabaseError, DatabaseFailure } from '../database-error.ts'

/** Converts a failed statement to the common error. The message contains no bound value. */
export function statementError(thrown: unknown, sql: string): DatabaseError {
  const error = driverError(thrown)
  const code = failureCode(error)
  const constraint =
    constraints.get(error.number)?.exec(error.serverMessage)?.groups?.['name'] ?? null
  const native = nativeCode(error)
  return failedStatement(code, { constraint, native }, reasonFor(code, error, sql))
}

function reasonFor(code: DatabaseFailure, error: DriverError, sql: string): string | undefined {
  const known = statementReasons[error.number] ?? statementReasons[error.name]
  if (known !== undefined) return known
  if (code === 'E_VALUE') return 'it has the wrong format'
  const native = nativeCode(error) ?? 'unknown'
  if (code === 'E_STATEMENT') return safeServerMessage(error, sql) ?? `error ${native}`
  return code === 'E_DATABASE' || code === 'E_CONNECTION_LOST' ? `error ${native}` : undefined
}

const isMissing = 'the row that it refers to does not exist'
const isReferred = 'other rows refer to this row'
const isTooLarge = 'it is larger than max_allowed_packet of the server'

/** By error number, or by name. */
const statementReasons: Readonly<Record<string, string>> = {
  '1139': 'it is not a regular expression',
  '1153': isTooLarge,
  '1216': isMissing,
  '1217': isReferred,
  '1264': 'it is out of range',
  '1301': isTooLarge,
  '1365': 'it causes a division by zero',
  '1406': 'it is too long',
  '1451': isReferred,
  '1452': isMissing,
  '1690': 'it is out of range',
  ER_MAX_ALLOWED_PACKET: isTooLarge,
}

// The text before the name may contain a value, so each pattern is anchored at an end.
const constraints: ReadonlyMap<number, RegExp> = new Map([
  ...each(/for key '(?<name>[^']+)'$/, 1062, 1586),
  ...each(/, CONSTRAINT `(?<name>[^`]+)` FOREIGN KEY/, 1216, 1217, 1451, 1452),
  ...each(/^Column '(?<name>[^']+)' cannot be null$/, 1048),
  ...each(/^Field '(?<name>[^']+)' doesn't have a default value$/, 1364),
  ...each(/^CONSTRAINT `(?<name>[^`]+)` failed for /, 4025),
  ...each(/^Check constraint '(?<name>[^']+)' is violated\.$/, 3819),
  ...each(/for column '(?<name>[^']+)' at row \d+$/, 1264, 1265, 1406),
  ...each(/`\.`(?<name>[^`]+)` at row \d+$/, 1292, 1366),
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

function each<const Value, Key>(
  value: Value,
  ...keys: readonly Key[]
): readonly (readonly [Key, Value])[] {
  return keys.map((key) => [key, value])
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
  return sql.toLowerCase().includes(last.toLowerCase()) || clauses.test(name)
}

const clauses =
  /^(?:SELECT|WHERE|ON|SET|HAVING|(?:ORDER|GROUP) BY|field list|partition function|(?:where|on|order|having|returning) clause|(?:order|group) statement)$/

/** Explains why a connection failed, without the message of the driver. */
export function connectError(thrown: unknown, label: string): DatabaseError {
  const native = nativeCode(driverError(thrown))
  return failedConnection(label, native, reasons[native ?? ''])
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
