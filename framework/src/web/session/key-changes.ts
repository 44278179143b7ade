import type { KeyedValues } from './session-data.ts'

/** What one key became: another value, or nothing. */
interface Change {
  readonly present: boolean
  readonly value: unknown
}

const gone: Change = { present: false, value: null }

/**
 * What a request did to values by key. It is kept apart from the values themselves, so that it can
 * be done again to what another request has saved meanwhile.
 */
export class KeyChanges {
  #changes: Map<string, Change> | null = null
  #cleared = false

  get isEmpty(): boolean {
    return this.#changes === null && !this.#cleared
  }

  set(key: string, value: unknown): void {
    this.#note(key, { present: true, value })
  }

  delete(key: string): void {
    this.#note(key, gone)
  }

  /** Takes away everything, also what is not known yet. */
  clear(): void {
    this.#changes = null
    this.#cleared = true
  }

  /** What a key became; null when it is still what it was. */
  find(key: string): Change | null {
    return this.#changes?.get(key) ?? (this.#cleared ? gone : null)
  }

  /** The values with the changes done to them; the same object when there is nothing to do. */
  apply(before: KeyedValues): KeyedValues {
    const after = new Map(this.#cleared ? [] : Object.entries(before))
    let differs = this.#cleared && Object.keys(before).length > 0
    for (const [key, { present, value }] of this.#changes ?? []) {
      if (present) after.set(key, value)
      differs = present || after.delete(key) || differs
    }
    // Not by assignment: a key may be called __proto__.
    return differs ? Object.fromEntries(after) : before
  }

  #note(key: string, change: Change): void {
    this.#changes ??= new Map()
    this.#changes.set(key, change)
  }
}
