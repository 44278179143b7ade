import { labelJson } from './labels.ts'
import type { Labels } from './labels.ts'

/** Finds the series of a metric by labels, and records the time of each. */
export class SeriesTable {
  readonly #series: readonly { readonly labels: Labels }[]
  /** By labels. Created when needed, as workers usually list the same series in the same order. */
  #indexes: Map<string, number> | null = null
  /** Epoch seconds of each series. */
  readonly #times: number[]
  #next = 0

  constructor(series: readonly { readonly labels: Labels }[], timestamp: number) {
    this.#series = series
    this.#times = series.map(() => timestamp)
  }

  /** Whether the table is still valid for this list, which other code may have changed. */
  fits(series: readonly unknown[]): boolean {
    return this.#series === series && this.#times.length === series.length
  }

  /**
   * The index of the series with these labels, or undefined. Tries the one after the previous result
   * and `guess` first.
   */
  indexOf(labels: Labels, guess: number): number | undefined {
    const index = this.#likely(labels, guess) ?? this.#known(labels)
    if (index !== undefined) this.#next = index + 1
    return index
  }

  /** Records a series that was added at the end of the list. */
  append(labels: Labels, timestamp: number): void {
    const index = this.#times.push(timestamp) - 1
    this.#indexes?.set(labelJson(labels), index)
  }

  /** Sets the time of a series unless it is older; returns whether it was set. */
  updateTime(index: number, timestamp: number): boolean {
    if (timestamp < (this.#times[index] ?? 0)) return false
    this.#times[index] = timestamp
    return true
  }

  #likely(labels: Labels, guess: number): number | undefined {
    if (this.#series[this.#next]?.labels === labels) return this.#next
    return this.#series[guess]?.labels === labels ? guess : undefined
  }

  #known(labels: Labels): number | undefined {
    this.#indexes ??= new Map(this.#series.map((one, index) => [labelJson(one.labels), index]))
    return this.#indexes.get(labelJson(labels))
  }
}
