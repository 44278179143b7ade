/** The network that stands for all those beyond the maximum. */
export const otherNetworks = 'others'

/** How many lines of a kind from a network were not written. */
export interface OmittedLines<Kind extends string> {
  readonly kind: Kind
  readonly network: string
  readonly count: number
}

/**
 * Allows a number of lines of one kind from one network per window, and counts the rest. It remembers
 * a limited number of networks; those that come later share one allowance, so that neither the log
 * nor the memory grows with the number of attackers.
 */
export class LineQuota<Kind extends string> {
  readonly #lines: number
  readonly #networks: number
  readonly #counts = new Map<Kind, Map<string, number>>()

  constructor({ lines, networks }: { readonly lines: number; readonly networks: number }) {
    this.#lines = lines
    this.#networks = networks
  }

  /** Counts a line; whether it may be written. */
  take(kind: Kind, network: string): boolean {
    const counts = this.#counts.get(kind) ?? new Map<string, number>()
    this.#counts.set(kind, counts)
    const isTracked = counts.has(network) || counts.size < this.#networks
    const key = isTracked ? network : otherNetworks
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count <= this.#lines
  }

  /** Starts a new window; returns what was not written in the last one. */
  restart(): OmittedLines<Kind>[] {
    const omitted = [...this.#counts].flatMap(([kind, counts]) =>
      [...counts]
        .map(([network, count]) => ({ kind, network, count: count - this.#lines }))
        .filter(({ count }) => count > 0),
    )
    this.#counts.clear()
    return omitted
  }
}
