import { toError } from '../../base/debugging/to-error.ts'
import type { Surface } from '../database/surface.ts'
import { Dialects } from '../sql/dialect.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { Ledger } from './ledger.ts'
import { MigrationError } from './migration-error.ts'
import type { Migration, MigrationFile } from './migration-file.ts'
import type { MigrationStep } from './migration-step.ts'
import { Schema } from './schema.ts'

/** A migration to run, and which way. */
export interface NextStep {
  readonly file: MigrationFile
  readonly migration: Migration
  readonly direction: MigrationStep['direction']
  readonly batch: number
}

/**
 * Runs one migration and notes it in the ledger, both or neither where the database can.
 * @throws MigrationError that says what is left of it.
 */
export async function takeStep(
  surface: Surface,
  ledger: Ledger,
  step: NextStep,
): Promise<MigrationStep> {
  const { file, migration, direction, batch } = step
  const startMs = performance.now()
  let changes: readonly string[] = []
  const change = async (on: Surface): Promise<void> => {
    const schema = new Schema(on)
    changes = schema.changes
    await (direction === 'up' ? migration.up : migration.down)?.(schema)
    if (direction === 'up') await ledger.add(on, file, batch)
    else await ledger.remove(on, file.name)
  }
  const isAlone = !migration.transaction && surface.dialect.name === Dialects.Postgres
  try {
    await (isAlone ? change(surface) : surface.transaction(change))
  } catch (thrown) {
    const left = isLeft(surface.dialect, isAlone) ? changes : []
    throw failed(step, toError(thrown), left, isAlone)
  }
  return { name: file.name, direction, batch, durationMs: performance.now() - startMs }
}

function isLeft({ name }: Dialect, isAlone: boolean): boolean {
  return isAlone || name === Dialects.MariaDB
}

function failed(
  { file, direction }: NextStep,
  error: Error,
  left: readonly string[],
  isAlone: boolean,
): MigrationError {
  return new MigrationError(
    `${file.name} failed on its way ${direction}: ${error.message}\n${outcome(left, isAlone)}`,
    { cause: error },
  )
}

function outcome(left: readonly string[], isAlone: boolean): string {
  if (left.length === 0) {
    return isAlone
      ? 'It ran without a transaction: see what its statements left behind before you run it again.'
      : 'Nothing of it is left; mend it and run it again.'
  }
  const reason = isAlone
    ? 'It ran without a transaction'
    : 'MariaDB cannot take back changes of tables'
  return `${reason}, so this stays, with the rows written before: ${left.join(', ')}. Undo that by hand, or mend the migration so that it goes on from there, and run it again.`
}
