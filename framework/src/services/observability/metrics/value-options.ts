import type { Merges } from '../merges.ts'
import type { Observe } from './metric-value.ts'
import type { InstrumentOptions } from './options.ts'

/** What a counter or gauge may be told. */
export interface ValueOptions extends InstrumentOptions {
  /** Gives the value whenever the instrument is read; its own is then not looked at. */
  readonly observe?: Observe
  /** How the values of several processes become one; `sum` unless given. */
  readonly merge?: Merges
}
