import { FrameworkError } from '../base/errors.ts'

/** One migration that was run, up or down. */
export interface MigrationStep {
  readonly name: string
  readonly direction: 'up' | 'down'
  /** Number of the run that applied it. */
  readonly batch: number
  readonly durationMs: number
}

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
