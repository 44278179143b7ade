import type { Labels } from '../labels.ts'
import type { Histogram } from '../instruments/histogram.ts'
import { defaultCap } from '../instruments/instrument-options.ts'

/** The labels of steps with this name; `failure` is the code of the error, null for a success. */
export type StepLabels = (name: string, failure: string | null) => Labels

/** Durations of steps of one kind, by name and outcome. */
export class StepDurations {
  readonly #histogram: () => Histogram
  readonly #labels: StepLabels
  /** The series of successful steps by name, so that most steps cost one look-up. */
  readonly #succeeded = new Map<string, Histogram>()

  /** `histogram` is called when there is something to observe. */
  constructor(histogram: () => Histogram, labels: StepLabels) {
    this.#histogram = histogram
    this.#labels = labels
  }

  /** Adds a step that has ended. */
  observe(name: string, failure: string | null, seconds: number): void {
    const known = failure === null ? this.#succeeded.get(name) : undefined
    const series = known ?? this.#find(name, failure)
    series.observe(seconds)
  }

  #find(name: string, failure: string | null): Histogram {
    const series = this.#histogram().with(this.#labels(name, failure))
    if (failure === null && this.#succeeded.size < defaultCap) this.#succeeded.set(name, series)
    return series
  }
}
