import type { Dialect } from '../database/sql/dialects/dialect.ts'
import type { Statement } from '../database/sql/plan/statement.ts'
import { literal } from './literal.ts'

/**
 * SQL with its values as literals, for the parts of schema changes, where no database accepts
 * parameters.
 * @throws InvalidArgumentException for a value that has no literal.
 */
export function inlineSql(statement: Statement, dialect: Dialect): string {
  // NUL cannot be part of a statement, so it marks the places of values.
  const notation = { quote: dialect.quote, placeholder: (at: number) => `\0${at}\0` }
  const { sql, parameters } = statement.compile(notation)
  return sql
    .split('\0')
    .map((part, at) => (at % 2 === 0 ? part : literal(parameters[Number(part) - 1], dialect)))
    .join('')
}
