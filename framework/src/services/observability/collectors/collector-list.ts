import { InvalidArgumentException } from '../../../base/errors.ts'
import { isInstrument } from '../metrics/instrument.ts'
import type { Instrument } from '../metrics/instrument.ts'
import { quote } from '../quote.ts'
import type { Collector } from './collector.ts'

/** Told about a collector that failed. */
export type CollectorFailure = (collector: Collector, error: unknown) => void

/** The collectors of a registry, in the order they came. */
export class CollectorList implements Iterable<Collector> {
  readonly #collectors = new Set<Collector>()
  readonly #failed: CollectorFailure

  constructor(failed: CollectorFailure) {
    this.#failed = failed
  }

  /**
   * Adds collectors; one that is there already stays where it is.
   * @throws InvalidArgumentException when something else is pushed.
   */
  push(...collectors: readonly Collector[]): this {
    for (const collector of collectors) {
      if (typeof collector?.collect !== 'function') {
        throw new InvalidArgumentException(
          'E_INVALID_ARGUMENT',
          `collectors.push takes an object with collect(); got ${quote(collector)}`,
        )
      }
      this.#collectors.add(collector)
    }
    return this
  }

  /** Runs every collector; one that fails gives nothing and disturbs nobody. */
  collect(): Instrument[] {
    const instruments: Instrument[] = []
    for (const collector of this.#collectors) {
      try {
        for (const instrument of checked(collector.collect())) instruments.push(instrument)
      } catch (error) {
        this.#failed(collector, error)
      }
    }
    return instruments
  }

  /** Closes every collector and lets go of it. */
  close(): void {
    for (const collector of this.#collectors) {
      try {
        collector.close?.()
      } catch (error) {
        this.#failed(collector, error)
      }
    }
    this.#collectors.clear()
  }

  [Symbol.iterator](): Iterator<Collector> {
    return this.#collectors.values()
  }
}

/** All or nothing: a collector that gives something else is wrong as a whole. */
function checked(given: readonly Instrument[]): readonly Instrument[] {
  for (const instrument of given) {
    if (isInstrument(instrument)) continue
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `a collector gives a list of Counter, Gauge and Histogram; got ${quote(instrument)}`,
    )
  }
  return given
}
