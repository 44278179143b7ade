import { detached } from './detached.ts'

/**
 * What was found out about texts such as the lines of stacks. It remembers the last `max` texts at
 * least, and at most twice as many.
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
    return this.get(text) ?? this.set(text, find(text))
  }

  /** Remembers a text; of one that was cut from a longer one, only itself. */
  set(text: string, value: Value): Value {
    if (this.#recent.size >= this.#max) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(detached(text), value)
    return value
  }
}
