import type { Instrument } from '../instruments/instrument.ts'

/** Provides instruments whose values are read when a snapshot is taken. */
export interface Collector {
  /** Called for every snapshot, so it must be fast. An error is reported once; others still run. */
  collect(): readonly Instrument[]
  /** Releases resources of the collector, such as an observer. */
  close?(): void
}
