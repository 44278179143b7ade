import { InvalidArgumentException } from '../../../base/errors.ts'
import { bindable } from '../values/bindable.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { Draft } from './draft.ts'
import type { Query } from '../plan/query.ts'
import { returningClause } from './write-returning.ts'

/** Everything an insert says, before any database's words. */
export interface InsertPlan {
  readonly table: string
  /** The columns that every row brings; none at all for one row of defaults. */
  readonly columns: readonly ColumnReference[]
  /** Values as TypeScript has them (see `bindable`), in the order of the columns. */
  readonly rows: readonly (readonly unknown[])[]
  /** What happens when a row exists already; null makes it an error. */
  readonly conflict: InsertConflict | null
  /** The columns to give back, in the order the raw rows have them. */
  readonly returning: readonly ColumnReference[]
}

/** An upsert: which row is meant, and what of it is changed. */
export interface InsertConflict {
  /** The unique columns that tell a row exists, where the database lets them be named: see `namesConflict`. */
  readonly columns: readonly ColumnReference[]
  /** The columns that take the new value; with none the row stays as it is. */
  readonly update: readonly ColumnReference[]
}

/**
 * An insert in the words of one database. Every row it inserted, changed or, with a conflict that
 * updates nothing, found is in `returning`, raw.
 * @throws InvalidArgumentException for a value that its column cannot take, or rows that lack one.
 */
export function compileInsert(plan: InsertPlan, dialect: Dialect): Query {
  const draft = new Draft(dialect)
  const { conflict, returning, table } = plan
  const into = `INSERT INTO ${dialect.quote(table)}${valuesClause(plan, draft)}`
  const upsert = conflict === null ? '' : conflictClause(plan, conflict, draft)
  const sql = into + upsert + returningClause(returning, dialect)
  return { sql, parameters: draft.parameters, raw: true }
}

function valuesClause({ columns, rows }: InsertPlan, draft: Draft): string {
  if (rows.length === 0) throw refused('an insert needs a row or more')
  if (columns.length === 0) return defaultsClause(rows.length, draft.dialect)
  let sql = ''
  for (const values of rows) {
    if (values.length !== columns.length) {
      throw refused(`a row has ${values.length} values for ${columns.length} columns`)
    }
    sql += sql === '' ? '(' : '), ('
    for (const [at, column] of columns.entries()) {
      if (at > 0) sql += ', '
      sql += draft.place(bindable(column, values[at], draft.dialect))
    }
  }
  return ` (${draft.names(columns)}) VALUES ${sql})`
}

function defaultsClause(rows: number, dialect: Dialect): string {
  if (rows > 1) throw refused('rows of nothing but defaults are inserted one by one')
  return dialect.insertDefaults
}

function conflictClause(plan: InsertPlan, conflict: InsertConflict, draft: Draft): string {
  const { dialect } = draft
  const [first] = conflict.columns
  if (first === undefined) throw refused('an upsert needs the columns that tell a row exists')
  const columns = dialect.namesConflict ? draft.names(conflict.columns) : ''
  if (conflict.update.length === 0) {
    const isReturned = plan.returning.length > 0
    const table = dialect.quote(plan.table)
    return ` ${dialect.keepOnConflict({ table, first: draft.name(first), columns, isReturned })}`
  }
  const assignments = conflict.update.map((column) => {
    const name = draft.name(column)
    return `${name} = ${dialect.inserted(name)}`
  })
  return ` ${dialect.onConflict(columns)} ${assignments.join(', ')}`
}

function refused(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', reason)
}
