/** Remembers what was computed for a key, for a bounded number of keys. */
export class BoundedCache<Value> {
  readonly #values = new Map<string, Value>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  /** The value for this key; it is computed if none is known. */
  get(key: string, compute: (key: string) => Value): Value {
    return this.#values.get(key) ?? this.keep(key, compute(key))
  }

  /** The value for this key, if one is known. */
  find(key: string): Value | undefined {
    return this.#values.get(key)
  }

  /** Remembers a value, and returns it. */
  keep(key: string, value: Value): Value {
    // Keys that repeat come back soon; all others must not pile up.
    if (this.#values.size >= this.#max) this.#values.clear()
    this.#values.set(key, value)
    return value
  }
}
