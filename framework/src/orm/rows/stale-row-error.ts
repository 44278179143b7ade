import { FrameworkError } from '../../base/errors.ts'

/**
 * A row was updated by someone else since it was read: its version is another one than an update
 * expected. Nothing was changed.
 */
export class StaleRowError extends FrameworkError {
  /** The version that the update expected, and the one that the row has. */
  readonly expected: unknown
  readonly actual: unknown

  constructor(table: string, expected: unknown, actual: unknown) {
    super(
      'E_STALE_ROW',
      `${table}: the update expected version ${String(expected)}, but the row has ${String(actual)}; read it again and repeat the change`,
    )
    this.expected = expected
    this.actual = actual
  }
}
