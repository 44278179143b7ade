import { labelJson } from './labels.ts'
import type { Labels } from './labels.ts'

/** Finds the series of a metric by its labels, and remembers how old each one is. */
export class SeriesTable {
  readonly #series: readonly { readonly labels: Labels }[]
  readonly #places: Map<string, number>
  /** Epoch seconds of each series. */
  readonly #times: number[]

  constructor(series: readonly { readonly labels: Labels }[], timestamp: number) {
    this.#series = series
    this.#places = new Map(series.map(({ labels }, place) => [labelJson(labels), place]))
    this.#times = series.map(() => timestamp)
  }

  /** Whether the table still tells the truth about a list that others may have changed. */
  fits(series: readonly unknown[]): boolean {
    return this.#series === series && this.#places.size === series.length
  }

  /** Where the series with these labels stands, or undefined; `guess` is where it may well be. */
  place(labels: Labels, guess: number): number | undefined {
    if (this.#series[guess]?.labels === labels) return guess
    return this.#places.get(labelJson(labels))
  }

  /** Notes a series that was put at the end of the list. */
  append(labels: Labels, timestamp: number): void {
    this.#places.set(labelJson(labels), this.#times.push(timestamp) - 1)
  }

  /** Whether something of that time comes after what stands there, which then takes that time. */
  renew(place: number, timestamp: number): boolean {
    if (timestamp < (this.#times[place] ?? 0)) return false
    this.#times[place] = timestamp
    return true
  }
}
