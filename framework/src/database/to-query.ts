import { InvalidArgumentException } from '../base/errors.ts'
import type { Dialect } from './sql/dialects/dialect.ts'
import type { Query } from './sql/plan/query.ts'
import { Statement } from './sql/plan/statement.ts'

/**
 * Compiles a statement for a dialect; a query is returned unchanged.
 * @throws InvalidArgumentException for anything else. A text would be SQL that anyone may have written.
 */
export function toQuery(statement: Query | Statement<unknown>, dialect: Dialect): Query {
  if (statement instanceof Statement) return statement.compile(dialect)
  const given: unknown = statement
  if (typeof given === 'object' && given !== null && 'sql' in given && 'parameters' in given) {
    return statement
  }
  const got = given === null ? 'null' : typeof given === 'string' ? 'a text' : typeof given
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `a database takes a statement, as in sql\`SELECT 1\`, or an object with sql and parameters, got ${got}`,
  )
}
