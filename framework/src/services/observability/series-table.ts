import { labelJson } from './labels.ts'
import type { Labels } from './labels.ts'

/** Finds the series of a metric by its labels, and remembers how old each one is. */
export class SeriesTable {
  readonly #series: readonly { readonly labels: Labels }[]
  /** By labels. Made when it is first needed: workers list the same series in the same order. */
  #places: Map<string, number> | null = null
  /** Epoch seconds of each series. */
  readonly #times: number[]
  #next = 0

  constructor(series: readonly { readonly labels: Labels }[], timestamp: number) {
    this.#series = series
    this.#times = series.map(() => timestamp)
  }

  /** Whether the table still tells the truth about a list that others may have changed. */
  fits(series: readonly unknown[]): boolean {
    return this.#series === series && this.#times.length === series.length
  }

  /**
   * Where the series with these labels stands, or undefined. It may well be behind the one that was
   * asked for before, or at `guess`.
   */
  place(labels: Labels, guess: number): number | undefined {
    const place = this.#likely(labels, guess) ?? this.#known(labels)
    if (place !== undefined) this.#next = place + 1
    return place
  }

  /** Notes a series that was put at the end of the list. */
  append(labels: Labels, timestamp: number): void {
    const place = this.#times.push(timestamp) - 1
    this.#places?.set(labelJson(labels), place)
  }

  /** Whether something of that time comes after what stands there, which then takes that time. */
  renew(place: number, timestamp: number): boolean {
    if (timestamp < (this.#times[place] ?? 0)) return false
    this.#times[place] = timestamp
    return true
  }

  #likely(labels: Labels, guess: number): number | undefined {
    if (this.#series[this.#next]?.labels === labels) return this.#next
    return this.#series[guess]?.labels === labels ? guess : undefined
  }

  #known(labels: Labels): number | undefined {
    this.#places ??= new Map(this.#series.map((one, place) => [labelJson(one.labels), place]))
    return this.#places.get(labelJson(labels))
  }
}
