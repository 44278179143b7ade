import { FrameworkError } from '../../base/errors.ts'
import type { MigrationStep } from './migration-step.ts'

/** A migration cannot be run or failed. The message names it and says what state the database is in. */
export class MigrationError extends FrameworkError {
  /** What the same run had done before; that stays. */
  readonly done: readonly MigrationStep[]

  constructor(message: string, options: ErrorOptions & { done?: readonly MigrationStep[] } = {}) {
    super('E_MIGRATION', message, options)
    this.done = options.done ?? []
  }
}
