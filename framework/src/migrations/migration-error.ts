import { FrameworkError } from '../base/errors.ts'
import type { MigrationStep } from './migration-step.ts'

/**
 * A migration failed or cannot be run. The message names it and describes the state of the
 * database.
 */
export class MigrationError extends FrameworkError {
  /** What the same run had done before; it stays done. */
  readonly done: readonly MigrationStep[]

  constructor(message: string, options: ErrorOptions & { done?: readonly MigrationStep[] } = {}) {
    super('E_MIGRATION', message, options)
    this.done = options.done ?? []
  }
}
