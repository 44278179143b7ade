import { FrameworkError } from '../../../base/errors.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import type { Dialect } from '../dialects/dialect.ts'

/** Converts a raw value to the TypeScript type of its column; NULL becomes null. */
export type Reader = (raw: unknown) => unknown

/**
 * The reader of a column, for rows selected with `raw`. It throws FrameworkError: E_INTEGER_RANGE
 * for an integer that a `number` cannot represent, and E_COLUMN_VALUE when the stored value does
 * not have the declared type.
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
    `${name} contains a value that is not ${kind}; declare the column with its actual type`,
  )
}
