import type { Instrument } from '../metrics/instrument.ts'

/** Gives instruments whose values it knows when a snapshot is taken. */
export interface Collector {
  /** Called for every snapshot: be quick. What it throws is reported once and costs nobody else. */
  collect(): readonly Instrument[]
  /** Gives back what the collector holds, such as an observer. */
  close?(): void
}
