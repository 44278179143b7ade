import { invalidArgument } from '../../../base/errors.ts'
import { bindable } from '../values/bindable.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import type { Condition } from '../plan/condition.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Query } from '../plan/statement.ts'
import { Draft } from './draft.ts'
import { where, writeConditions } from './write-conditions.ts'

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
  const [first] = plan.changes
  if (first === undefined) throw invalidArgument('an update needs at least one change')
  if (plan.returning.length > 0 && !dialect.returnsUpdated) {
    throw invalidArgument('this database cannot return rows from an update; select them afterwards')
  }
  const draft = new Draft(dialect, plan.table)
  let texts = dialect.columns.texts(first.column).with(plan.table)
  for (const { column, value, adds = false } of plan.changes) {
    draft.bind(bindable(column, value, dialect))
    texts = texts.with(column).with(adds)
  }
  const rows = writeConditions(plan.conditions, draft)
  texts = texts.with(rows).with(plan.returning.length === 0 ? null : plan.returning)
  const sql = (texts.text ??= writeUpdate(plan, where(rows), draft))
  return { sql, parameters: draft.parameters, raw: true }
}

function writeUpdate(
  { table, changes, returning }: UpdatePlan,
  rows: string,
  draft: Draft,
): string {
  const { dialect } = draft
  const written = changes.map(({ column, adds = false }, index) => {
    const name = draft.name(column)
    const place = dialect.placeholder(index + 1)
    return `${name} = ${adds ? dialect.plus(name, dialect.comparand(place, column), column) : place}`
  })
  const set = `UPDATE ${dialect.quote(table)} SET ${written.join(', ')}`
  return set + rows + draft.returning(returning)
}
