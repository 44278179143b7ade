import type { Metric } from './metric.ts'

/** The sample names of a snapshot's metrics in the text formats; each belongs to one metric. */
export class SampleNames {
  readonly #taken = new Set<string>()

  /** Claims all names of a metric and returns null, or claims none and returns one that is taken. */
  claim(name: string, type: Metric['type']): string | null {
    const names = type === 'histogram' ? histogramNames(name) : [name]
    const taken = names.find((one) => this.#taken.has(one))
    if (taken !== undefined) return taken
    for (const one of names) this.#taken.add(one)
    return null
  }

  has(name: string): boolean {
    return this.#taken.has(name)
  }
}

function histogramNames(name: string): string[] {
  return [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]
}
