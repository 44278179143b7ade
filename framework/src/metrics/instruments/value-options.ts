import type { Merges } from '../merges.ts'
import type { Observe } from './metric-value.ts'
import type { InstrumentOptions } from './instrument-options.ts'

/** Options of counters and gauges. */
export interface ValueOptions extends InstrumentOptions {
  /** Returns the value whenever the instrument is read, in place of a recorded one. */
  readonly observe?: Observe
  /** How the values of several processes are combined. @default 'sum' */
  readonly merge?: Merges
}
