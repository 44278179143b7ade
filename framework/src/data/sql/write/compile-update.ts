import { InvalidArgumentException } from '../../../base/errors.ts'
import { bindable } from '../values/bindable.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import type { Condition } from '../plan/condition.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { Draft } from './draft.ts'
import type { Query } from '../plan/query.ts'
import { whereClause } from './write-conditions.ts'
import { returningClause } from './write-returning.ts'

/** Everything an update says, before any database's words. */
export interface UpdatePlan {
  readonly table: string
  readonly changes: readonly Change[]
  /** Which rows; without any, all of them. */
  readonly conditions: readonly Condition[]
  /** The columns to give back; none where the database cannot: see `returnsUpdated`. */
  readonly returning: readonly ColumnReference[]
}

/** A column and the value it gets, as TypeScript has it (see `bindable`). */
export interface Change {
  readonly column: ColumnReference
  readonly value: unknown
}

/**
 * An update in the words of one database; what it gives back is raw.
 * @throws InvalidArgumentException for a value that its column cannot take, without changes, or when
 *   the database cannot give back what is asked for.
 */
export function compileUpdate(plan: UpdatePlan, dialect: Dialect): Query {
  if (plan.changes.length === 0) throw refused('an update needs a change or more')
  if (plan.returning.length > 0 && !dialect.returnsUpdated) {
    throw refused('this database gives no rows back from an update; select them afterwards')
  }
  const draft = new Draft(dialect)
  const changes = plan.changes.map(({ column, value }) => {
    return `${draft.name(column)} = ${draft.place(bindable(column, value, dialect))}`
  })
  const where = whereClause(plan.conditions, draft)
  const returning = returningClause(plan.returning, dialect)
  return {
    sql: `UPDATE ${dialect.quote(plan.table)} SET ${changes.join(', ')}${where}${returning}`,
    parameters: draft.parameters,
    raw: true,
  }
}

function refused(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', reason)
}
