import { FrameworkError } from '../../../../base/errors.ts'

/**
 * A table that others refer to cannot be rebuilt while foreign keys are enforced: dropping the old one
 * would delete or reject the rows of the others. `Migrator` then runs the migration again in a
 * transaction without them.
 */
export class ForeignKeysOnError extends FrameworkError {
  constructor(table: string) {
    super(
      'E_MIGRATION',
      `${table} has to be rebuilt, and other rows refer to it; run this in transaction(work, { foreignKeys: false })`,
    )
  }
}
