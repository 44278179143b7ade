import type { Dialect } from '../sql/dialects/dialect.ts'
import type { Query } from '../sql/plan/query.ts'
import { Statement } from '../sql/plan/statement.ts'

/** Compiles a statement for a dialect; a query is returned unchanged. */
export function toQuery(statement: Query | Statement<unknown>, dialect: Dialect): Query {
  return statement instanceof Statement ? statement.compile(dialect) : statement
}
