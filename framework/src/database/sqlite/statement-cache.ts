/**
 * Caches at most `limit` recently used entries by text. It keeps two generations instead of an
 * order: a hit in the young one costs one lookup, and what was not used while a generation filled
 * up is dropped.
 */
export class StatementCache<Entry> {
  readonly #generation: number
  #young = new Map<string, Entry>()
  #old = new Map<string, Entry>()

  constructor(limit: number) {
    this.#generation = Math.ceil(limit / 2)
  }

  get(text: string): Entry | undefined {
    const young = this.#young.get(text)
    if (young !== undefined) return young
    const old = this.#old.get(text)
    if (old !== undefined) this.set(text, old)
    return old
  }

  set(text: string, entry: Entry): void {
    if (this.#young.size >= this.#generation) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#old.delete(text)
    this.#young.set(text, entry)
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }
}
