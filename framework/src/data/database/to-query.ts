import type { Dialect } from '../sql/dialects/dialect.ts'
import type { Query } from '../sql/plan/query.ts'
import { Statement } from '../sql/plan/statement.ts'

/** A statement in the words of one database; what is in its words already stays as it is. */
export function toQuery(statement: Query | Statement, dialect: Dialect): Query {
  return statement instanceof Statement ? statement.compile(dialect) : statement
}
