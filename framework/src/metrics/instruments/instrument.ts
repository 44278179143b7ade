import type { Counter } from './counter.ts'
import type { Gauge } from './gauge.ts'
import type { Histogram } from './histogram.ts'
import { Labelled } from './labelled.ts'

/** A metric that can be registered or returned by a collector. */
export type Instrument = Counter | Gauge | Histogram

/** Whether a value is an instrument. */
export function isInstrument(value: unknown): value is Instrument {
  return value instanceof Labelled
}
