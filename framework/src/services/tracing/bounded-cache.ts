/** Remembers what was computed for a key, for a bounded number of keys. */
export class BoundedCache<Value> {
  readonly #values = new Map<string, Value>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get(key: string, compute: (key: string) => Value): Value {
    const known = this.#values.get(key)
    if (known !== undefined) return known
    const value = compute(key)
    // Keys that repeat come back soon; all others must not pile up.
    if (this.#values.size >= this.#max) this.#values.clear()
    this.#values.set(key, value)
    return value
  }
}
