import type { DriverError } from './driver-error.ts'

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
export function safeServerMessage(
  { number, serverMessage }: DriverError,
  sql: string,
): string | null {
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
