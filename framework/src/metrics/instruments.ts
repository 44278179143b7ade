import { InvalidArgumentException } from '../base/errors.ts'
import { isInstrument } from './instruments/instrument.ts'
import type { Instrument } from './instruments/instrument.ts'
import { quote } from './quote.ts'

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
        throw new InvalidArgumentException(
          'E_INVALID_ARGUMENT',
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
