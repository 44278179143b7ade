import type { Counter } from './counter.ts'
import type { Gauge } from './gauge.ts'
import type { Histogram } from './histogram.ts'
import { Labelled } from './labelled.ts'

/** What a registry holds and a collector gives. */
export type Instrument = Counter | Gauge | Histogram

/** Whether a value from outside is one of ours. */
export function isInstrument(value: unknown): value is Instrument {
  return value instanceof Labelled
}
