import { toError } from '../../base/throwables/to-error.ts'
import { DatabaseError } from '../database/database-error.ts'
import type { Surface } from '../database/surface.ts'
import type { Dialect } from '../sql/dialects/dialect.ts'
import type { Ledger } from './ledger.ts'
import { MigrationError } from './migration-error.ts'
import type { Migration, MigrationFile } from './migration-file.ts'
import type { MigrationStep } from './migration-step.ts'
import { Schema } from './schema.ts'

/** A migration to run, and its direction. */
export interface NextStep {
  readonly file: MigrationFile
  readonly migration: Migration
  readonly direction: MigrationStep['direction']
  readonly batch: number
}

/**
 * Runs one migration and records it in the ledger, atomically where the database allows it.
 * @throws MigrationError that says what is left of it.
 */
export async function runStep(
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
  const isAlone = !migration.transaction && surface.dialect.schema.runsAlone
  try {
    await (isAlone ? change(surface) : surface.transaction(change))
  } catch (thrown) {
    const reason = leftoverReason(surface.dialect, isAlone, changes, thrown)
    throw failed(step, toError(thrown), changes, reason)
  }
  return { name: file.name, direction, batch, durationMs: performance.now() - startMs }
}

/** Why a failed step may have left something behind; null if it was rolled back completely. */
function leftoverReason(
  { schema: { implicitCommit } }: Dialect,
  isAlone: boolean,
  changes: readonly string[],
  thrown: unknown,
): string | null {
  if (isAlone) return 'It ran without a transaction'
  if (thrown instanceof DatabaseError && thrown.code === 'E_TRANSACTION_ENDED') {
    return 'It ended its transaction itself'
  }
  return implicitCommit !== null && changes.length > 0 ? implicitCommit.reason : null
}

function failed(
  { file, direction }: NextStep,
  error: Error,
  changes: readonly string[],
  reason: string | null,
): MigrationError {
  return new MigrationError(
    `${file.name} failed while migrating ${direction}: ${error.message}\n${outcome(changes, reason)}`,
    { cause: error },
  )
}

function outcome(changes: readonly string[], reason: string | null): string {
  if (reason === null) return 'It was rolled back completely; fix it and run it again.'
  if (changes.length === 0) {
    return `${reason}: check what its statements left behind before you run it again.`
  }
  return `${reason}, so this stays, with the rows written before: ${changes.join(', ')}. Undo it by hand, or change the migration to continue from there, and run it again.`
}
