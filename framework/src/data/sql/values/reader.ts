import { FrameworkError } from '../../../base/errors.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import type { Dialect } from '../dialects/dialect.ts'

/** Makes of a raw value what a column holds in TypeScript; NULL is null. */
export type Reader = (raw: unknown) => unknown

/**
 * The reader of a column for rows that were asked for with `raw`.
 * It throws FrameworkError: E_INTEGER_RANGE for a whole number that a `number` cannot hold, and
 * E_COLUMN_VALUE when the database holds something else than the column is declared to.
 */
export function reader(column: ColumnReference, dialect: Dialect): Reader {
  if (column.kind === 'decimal') dialect.values.refuseInexact(column)
  const read = dialect.values.readers[column.kind]
  return (raw) => {
    if (raw === null) return null
    const value = read(raw, column)
    if (value === undefined) throw unreadable(column)
    return value
  }
}

function unreadable({ name, kind }: ColumnReference): FrameworkError {
  return new FrameworkError(
    'E_COLUMN_VALUE',
    `${name} holds something else than ${kind}, as which it is declared; declare it as what it is`,
  )
}
