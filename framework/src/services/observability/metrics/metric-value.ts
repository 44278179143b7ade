import { InvalidArgumentException } from '../../../base/errors.ts'
import { quote } from '../quote.ts'

/** Reads the live value of an instrument when it is asked for. */
export type Observe = () => number

/**
 * The value a closure gives for an instrument now.
 * @throws whatever the closure throws, and InvalidArgumentException (E_METRIC_VALUE) when it gives no number.
 */
export function observedValue(name: string, observe: Observe): number {
  const value = observe()
  if (typeof value === 'number') return value
  return refuseValue(name, 'observe gives a number', value)
}

/** @throws InvalidArgumentException (E_METRIC_VALUE), always. */
export function refuseValue(name: string, rule: string, value: unknown): never {
  const came = typeof value === 'number' ? String(value) : quote(value)
  throw new InvalidArgumentException('E_METRIC_VALUE', `${name}: ${rule}; got ${came}`)
}
