/** The source that stands for all those beyond the maximum. */
export const otherSources = 'others'

/** How many lines of a kind from a source were not written. */
export interface OmittedLines<Kind extends string> {
  readonly kind: Kind
  readonly source: string
  readonly count: number
}

/**
 * Allows a number of lines of one kind from one source, such as a network, per window, and counts the
 * rest. It remembers a limited number of sources; those that come later share one allowance, so that
 * neither the log nor the memory grows with the number of attackers.
 */
export class LineQuota<Kind extends string> {
  readonly #lines: number
  readonly #sources: number
  readonly #counts = new Map<Kind, Map<string, number>>()

  constructor({ lines, sources }: { readonly lines: number; readonly sources: number }) {
    this.#lines = lines
    this.#sources = sources
  }

  /** Counts a line; whether it may be written. */
  take(kind: Kind, source: string): boolean {
    const counts = this.#counts.get(kind) ?? new Map<string, number>()
    this.#counts.set(kind, counts)
    const isTracked = counts.has(source) || counts.size < this.#sources
    const key = isTracked ? source : otherSources
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count <= this.#lines
  }

  /** Starts a new window; returns what was not written in the last one. */
  restart(): OmittedLines<Kind>[] {
    const omitted = [...this.#counts].flatMap(([kind, counts]) =>
      [...counts]
        .map(([source, count]) => ({ kind, source, count: count - this.#lines }))
        .filter(({ count }) => count > 0),
    )
    this.#counts.clear()
    return omitted
  }
}
