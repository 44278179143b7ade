import { FrameworkError, InvalidArgumentException } from '../../../../base/errors.ts'
import type { ColumnChange } from './alter-dialect.ts'

/** Whether a statement failed because a row does not fit its column. */
export function isMisfit(error: unknown): boolean {
  return error instanceof FrameworkError && (error.code === 'E_VALUE' || error.code === 'E_CHECK')
}

/** The error for rows whose values the changed column could not hold. */
export function misfitError(
  { table, column: { name, kind, length, precision, scale } }: ColumnChange,
  rows: number,
): InvalidArgumentException {
  const digits = kind === 'decimal' ? ` (${precision}, ${scale})` : ''
  const size = length === null ? digits : ` (${length})`
  return new InvalidArgumentException(
    'E_VALUE',
    `${table}.${name}: ${rows === 1 ? '1 row has a value' : `${rows} rows have values`} that do${rows === 1 ? 'es' : ''} not fit ${kind}${size}; change ${rows === 1 ? 'it' : 'them'} first with schema.run`,
  )
}

/**
 * Runs the change of a column. If rows do not fit, the error says how many.
 * @throws InvalidArgumentException (E_VALUE)
 */
export async function countingMisfits(
  change: ColumnChange,
  work: () => Promise<void>,
  count: () => Promise<number>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isMisfit(error)) throw error
    // The first error is the one to report if they cannot be counted.
    const rows = await count().catch(() => 0)
    throw rows === 0 ? error : misfitError(change, rows)
  }
}
