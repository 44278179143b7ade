import { InvalidArgumentException } from '../../base/errors.ts'
import type { Result } from './operation.ts'

/** A row as an object by column name. */
export type ObjectRow = Readonly<Record<string, unknown>>

/**
 * The rows of a result as objects.
 * @throws InvalidArgumentException when the query asked for raw rows, which are lists.
 */
export function objectRows({ rows }: Result): readonly ObjectRow[] {
  if (areObjects(rows)) return rows
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    'rows() returns objects by column name; a query with raw: true has lists, use run()',
  )
}

// All rows of a result have the form of the first.
function areObjects(rows: readonly unknown[]): rows is readonly ObjectRow[] {
  return !Array.isArray(rows[0])
}
