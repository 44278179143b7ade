import { invalidArgument } from '../../base/errors.ts'
import { isInstrument } from '../instruments/instrument.ts'
import type { Instrument } from '../instruments/instrument.ts'
import { quote } from '../metric-name.ts'

/** Provides instruments whose values are read when a snapshot is taken. */
export interface Collector {
  /** Called for every snapshot, so it must be fast. An error is reported once; others still run. */
  collect(): readonly Instrument[]
  /** Releases resources of the collector, such as an observer. */
  close?(): void
}

/** Called when a collector fails. */
export type CollectorFailure = (collector: Collector, error: unknown) => void

/** The collectors of a registry, in the order they were added. */
export class CollectorList implements Iterable<Collector> {
  readonly #collectors = new Set<Collector>()
  readonly #failed: CollectorFailure

  constructor(failed: CollectorFailure) {
    this.#failed = failed
  }

  /**
   * Adds collectors; each is added only once.
   * @throws InvalidArgumentException for anything that is not a collector.
   */
  push(...collectors: readonly Collector[]): this {
    for (const collector of collectors) {
      if (typeof collector?.collect !== 'function') {
        throw invalidArgument(
          `collectors.push takes an object with collect(); got ${quote(collector)}`,
        )
      }
      this.#collectors.add(collector)
    }
    return this
  }

  /** Runs every collector; one that fails is reported and contributes nothing. */
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

  /** Closes and removes every collector. */
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

/** All or nothing: one invalid instrument discards everything from that collector. */
function checked(instruments: readonly Instrument[]): readonly Instrument[] {
  for (const instrument of instruments) {
    if (isInstrument(instrument)) continue
    throw invalidArgument(
      `a collector must return a list of Counter, Gauge and Histogram; got ${quote(instrument)}`,
    )
  }
  return instruments
}
