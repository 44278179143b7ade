import { InvalidArgumentException } from '../../base/errors.ts'
import { quote } from '../quote.ts'
import type { Merges } from '../merges.ts'
import type { InstrumentOptions } from './labelled.ts'

/** Returns the current value of an instrument. */
export type Observe = () => number

/**
 * The current value of an observable instrument.
 * @throws what `observe` throws, and InvalidArgumentException (E_METRIC_VALUE) when it returns no number.
 */
export function observedValue(name: string, observe: Observe): number {
  const value = observe()
  if (typeof value === 'number') return value
  return refuseValue(name, 'observe must return a number', value)
}

/** Always throws. @throws InvalidArgumentException (E_METRIC_VALUE) */
export function refuseValue(name: string, rule: string, value: unknown): never {
  const got = typeof value === 'number' ? String(value) : quote(value)
  throw new InvalidArgumentException('E_METRIC_VALUE', `${name}: ${rule}; got ${got}`)
}

/** Options of counters and gauges. */
export interface ValueOptions extends InstrumentOptions {
  /** Returns the value whenever the instrument is read, in place of a recorded one. */
  readonly observe?: Observe
  /** How the values of several processes are combined. @default 'sum' */
  readonly merge?: Merges
}
