/** One migration that was run, up or down. */
export interface MigrationStep {
  readonly name: string
  readonly direction: 'up' | 'down'
  /** Number of the run that applied it. */
  readonly batch: number
  readonly durationMs: number
}
