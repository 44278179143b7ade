import { invalidArgument } from '../../base/errors.ts'
import type { Counter } from './counter.ts'
import type { Gauge } from './gauge.ts'
import type { Histogram } from './histogram.ts'
import { Labelled } from './labelled.ts'
import { quote } from '../metric-name.ts'

/** A metric that can be registered or returned by a collector. */
export type Instrument = Counter | Gauge | Histogram

/** Whether a value is an instrument. */
export function isInstrument(value: unknown): value is Instrument {
  return value instanceof Labelled
}

/** The instruments of a registry, in the order they were added. */
export class Instruments implements Iterable<Instrument> {
  readonly #instruments = new Set<Instrument>()

  /**
   * Adds instruments; each is added only once.
   * @throws InvalidArgumentException for anything that is not an instrument.
   */
  push(...instruments: readonly Instrument[]): this {
    for (const instrument of instruments) {
      if (!isInstrument(instrument)) {
        throw invalidArgument(
          `metrics.push takes a Counter, Gauge or Histogram; got ${quote(instrument)}`,
        )
      }
      this.#instruments.add(instrument)
    }
    return this
  }

  /** Removes instruments. */
  remove(...instruments: readonly Instrument[]): this {
    for (const instrument of instruments) this.#instruments.delete(instrument)
    return this
  }

  [Symbol.iterator](): Iterator<Instrument> {
    return this.#instruments.values()
  }
}
