import { compileInsert } from '../../sql/write/compile-insert.ts'
import type { Dialect } from '../../sql/dialects/dialect.ts'
import type { Query } from '../../sql/plan/query.ts'
import { newAssignments } from './assignments.ts'
import type { Assignment } from './assignments.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'

// Larger statements are hardly faster, and eventually too long for a server.
const maxRows = 1_000

/**
 * The insert of one row, which returns it.
 * @throws InvalidArgumentException for an invalid value.
 */
export function insertQuery(entity: AnyEntity, values: unknown, dialect: Dialect): Query {
  return compileBatch(entity, new Batch(newAssignments(entity, values)), dialect)
}

/**
 * The inserts of a list of rows, in order, which return them: one for each run of rows with the
 * same columns, or more if one statement cannot bind them all. A generator, so that a long list can
 * be processed in several turns of the event loop.
 * @throws InvalidArgumentException for an invalid value.
 */
export function* insertQueries(
  entity: AnyEntity,
  list: readonly unknown[],
  dialect: Dialect,
): Generator<Query, void, undefined> {
  // A copy: a long list is read over several turns, during which it may change.
  const [first, ...rest] = list
  if (list.length === 0) return
  let batch = new Batch(newAssignments(entity, first))
  for (const values of rest) {
    const assignments = newAssignments(entity, values)
    if (batch.takes(assignments, dialect)) {
      batch.add(assignments)
      continue
    }
    yield compileBatch(entity, batch, dialect)
    batch = new Batch(assignments)
  }
  yield compileBatch(entity, batch, dialect)
}

class Batch {
  readonly columns: readonly EntityColumn[]
  readonly rows: unknown[][] = []

  constructor(first: readonly Assignment[]) {
    this.columns = first.map(({ column }) => column)
    this.add(first)
  }

  // Rows with only defaults need a statement each.
  takes(assignments: readonly Assignment[], dialect: Dialect): boolean {
    const { length } = this.columns
    const most = length === 0 ? 1 : Math.min(maxRows, dialect.maxParameters / length)
    if (this.rows.length + 1 > most || assignments.length !== length) return false
    return assignments.every(({ column }, index) => column === this.columns[index])
  }

  add(assignments: readonly Assignment[]): void {
    this.rows.push(assignments.map(({ value }) => value))
  }
}

function compileBatch(entity: AnyEntity, { columns, rows }: Batch, dialect: Dialect): Query {
  const { table, columns: returning } = entity
  return compileInsert({ table, columns, rows, conflict: null, returning }, dialect)
}
