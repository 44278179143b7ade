/**
 * What was found out about texts such as statements and stacks. It remembers the last `max` texts at
 * least, and at most twice as many. A text that was cut from a longer one keeps it in memory: `detached`
 * it first.
 */
export class RecentTexts<Value> {
  readonly #max: number
  #recent = new Map<string, Value>()
  #older = new Map<string, Value>()

  constructor(max: number) {
    this.#max = max
  }

  get(text: string): Value | undefined {
    const known = this.#recent.get(text)
    if (known !== undefined) return known
    const older = this.#older.get(text)
    if (older !== undefined) this.set(text, older)
    return older
  }

  /** What is known about a text; it is found out with `find` if nothing is. */
  getOr(text: string, find: (text: string) => Value): Value {
    const known = this.get(text)
    return known === undefined ? this.set(text, find(text)) : known
  }

  /** Remembers a text, and returns the value. */
  set(text: string, value: Value): Value {
    if (this.#recent.size >= this.#max) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(text, value)
    return value
  }
}
