import { invalidArgument } from '../../../base/errors.ts'
import { bindable } from '../values/bindable.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Query } from '../plan/statement.ts'
import { Draft } from './draft.ts'

/** An insert, independent of the database. */
export interface InsertPlan {
  readonly table: string
  /** The columns that every row has; empty for one row of defaults. */
  readonly columns: readonly ColumnReference[]
  /** TypeScript values (see `bindable`), in the order of the columns. */
  readonly rows: readonly (readonly unknown[])[]
  /** What to do if a row already exists; null makes it an error. */
  readonly conflict: InsertConflict | null
  /** The columns to return, in the order of the raw rows. */
  readonly returning: readonly ColumnReference[]
}

/** An upsert: how to identify an existing row, and what to update. */
export interface InsertConflict {
  /**
   * The unique columns that identify a row, on databases that can name them: see `namesConflict`.
   */
  readonly columns: readonly ColumnReference[]
  /** The columns to update; if empty, the row stays unchanged. */
  readonly update: readonly ColumnReference[]
  /** The columns to add one to, if any are updated. @default none */
  readonly count?: readonly ColumnReference[]
}

/**
 * Compiles an insert. `returning` contains every row that was inserted, updated or, with a conflict
 * that updates nothing, found; the rows are raw.
 * @throws InvalidArgumentException for an invalid value, or for rows of different lengths.
 */
export function compileInsert(plan: InsertPlan, dialect: Dialect): Query {
  const parameters: unknown[] = []
  for (const values of plan.rows) {
    if (values.length !== plan.columns.length) {
      throw invalidArgument(`a row has ${values.length} values for ${plan.columns.length} columns`)
    }
    let at = 0
    for (const column of plan.columns) {
      parameters.push(bindable(column, values[at], dialect))
      at += 1
    }
  }
  return { sql: insertText(plan, dialect), parameters, raw: true }
}

// Of several rows there would be a text for each number.
function insertText(plan: InsertPlan, dialect: Dialect): string {
  const [first] = plan.columns
  if (first === undefined || plan.rows.length !== 1) return writeInsert(plan, dialect)
  const { columns: by = [], update = [], count = [] } = plan.conflict ?? {}
  let texts = dialect.columns.texts(first).with(plan.table)
  for (const list of [plan.columns, by, update, count]) {
    for (const column of list) texts = texts.with(column)
    texts = texts.with(null)
  }
  texts = texts.with(plan.returning.length === 0 ? null : plan.returning)
  return (texts.text ??= writeInsert(plan, dialect))
}

function writeInsert(plan: InsertPlan, dialect: Dialect): string {
  const draft = new Draft(dialect)
  const { conflict, returning, table } = plan
  const into = `INSERT INTO ${dialect.quote(table)}${valuesClause(plan, draft)}`
  const upsert = conflict === null ? '' : conflictClause(plan, conflict, draft)
  return into + upsert + draft.returning(returning)
}

function valuesClause({ columns, rows }: InsertPlan, draft: Draft): string {
  if (rows.length === 0) throw invalidArgument('an insert needs at least one row')
  if (columns.length === 0) return defaultsClause(rows.length, draft.dialect)
  const { dialect } = draft
  let sql = ''
  let position = 0
  for (let row = 0; row < rows.length; row++) {
    sql += row === 0 ? '(' : '), ('
    for (let at = 0; at < columns.length; at++) {
      if (at > 0) sql += ', '
      sql += dialect.placeholder(++position)
    }
  }
  return ` (${draft.names(columns)}) VALUES ${sql})`
}

function defaultsClause(rows: number, dialect: Dialect): string {
  if (rows > 1) throw invalidArgument('rows with only defaults must be inserted one by one')
  return dialect.insertDefaults
}

function conflictClause(plan: InsertPlan, conflict: InsertConflict, draft: Draft): string {
  const { dialect } = draft
  const [first] = conflict.columns
  if (first === undefined) throw invalidArgument('an upsert needs the columns that identify a row')
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
  // With its table, since otherwise it could be that of the new row.
  const table = dialect.quote(plan.table)
  for (const column of conflict.count ?? []) {
    const name = draft.name(column)
    assignments.push(`${name} = ${table}.${name} + 1`)
  }
  return ` ${dialect.onConflict(columns)} ${assignments.join(', ')}`
}
