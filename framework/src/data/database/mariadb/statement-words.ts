import type { DriverError } from './driver-error.ts'

const syntax = 1064

/** Errors whose texts speak of names only. */
const aboutNames: ReadonlySet<number> = new Set([
  1046, 1049, 1050, 1051, 1052, 1054, 1055, 1060, 1061, 1065, 1066, 1072, 1091, 1109, 1136, 1146,
  1222, 1241, 1248, 1295, 1305, 1582, 1792,
])

/**
 * What MariaDB says of a statement, or null when it may hold a bound value: what it quotes is
 * repeated only if the statement, which holds none, has it too.
 */
export function statementWords({ number, words }: DriverError, sql: string): string | null {
  if (number === syntax) return syntaxWords(words, sql)
  if (!aboutNames.has(number)) return null
  return [...words.matchAll(/'([^']*)'/g)].every(([, name = '']) => isIn(sql, name)) ? words : null
}

/** The end of the statement is quoted here, where a value may stand that was put into the text. */
function syntaxWords(words: string, sql: string): string | null {
  const near = / near '(?<rest>.*)' at line (?<line>\d+)$/s.exec(words)
  const { rest = '', line = '' } = near?.groups ?? {}
  if (near === null) return null
  return sql.includes(rest) ? `wrong syntax near '${rest}' at line ${line}` : 'wrong syntax'
}

/** Tables are quoted with their database in front, and some words are the server's own. */
function isIn(sql: string, name: string): boolean {
  const last = name.slice(name.lastIndexOf('.') + 1)
  return sql.toLowerCase().includes(last.toLowerCase()) || places.has(name)
}

const places: ReadonlySet<string> = new Set([
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
