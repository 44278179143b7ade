import type { Metric } from './metric.ts'

/** The names that the text formats write for the metrics of a snapshot, each for one metric only. */
export class SampleNames {
  readonly #taken = new Set<string>()

  /** Takes the names of a metric. Gives the first that is taken already, and then takes none; else null. */
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
