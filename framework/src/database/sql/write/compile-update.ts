import { invalidArgument } from '../../../base/errors.ts'
import { bindable } from '../values/bindable.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import type { Condition } from '../plan/condition.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Query } from '../plan/statement.ts'
import { Draft } from './draft.ts'
import { whereClause } from './write-conditions.ts'

/** An update, independent of the database. */
export interface UpdatePlan {
  readonly table: string
  readonly changes: readonly Change[]
  /** Which rows; if empty, all of them. */
  readonly conditions: readonly Condition[]
  /** The columns to return; must be empty if the database cannot: see `returnsUpdated`. */
  readonly returning: readonly ColumnReference[]
}

/** A column and its new TypeScript value (see `bindable`). */
export interface Change {
  readonly column: ColumnReference
  readonly value: unknown
  /** Whether the value is added to that of the row instead. @default false */
  readonly adds?: boolean
}

/**
 * Compiles an update; the rows it returns are raw.
 * @throws InvalidArgumentException for an invalid value, without changes, or when the database
 * cannot return rows.
 */
export function compileUpdate(plan: UpdatePlan, dialect: Dialect): Query {
  if (plan.changes.length === 0) throw invalidArgument('an update needs at least one change')
  if (plan.returning.length > 0 && !dialect.returnsUpdated) {
    throw invalidArgument('this database cannot return rows from an update; select them afterwards')
  }
  const draft = new Draft(dialect, plan.table)
  const changes = plan.changes.map((change) => writeChange(change, draft))
  const where = whereClause(plan.conditions, draft)
  const returning = draft.returning(plan.returning)
  return {
    sql: `UPDATE ${dialect.quote(plan.table)} SET ${changes.join(', ')}${where}${returning}`,
    parameters: draft.parameters,
    raw: true,
  }
}

function writeChange({ column, value, adds = false }: Change, draft: Draft): string {
  const name = draft.name(column)
  const bound = bindable(column, value, draft.dialect)
  if (!adds) return `${name} = ${draft.bind(bound)}`
  return `${name} = ${draft.dialect.plus(name, draft.comparand(column, bound), column)}`
}
