import type { KeyedValues } from './session-data.ts'

interface Change {
  readonly present: boolean
  readonly value: unknown
}

const deleted: Change = { present: false, value: null }

/**
 * The changes a request made to keyed values. They are recorded apart from the values, so they can be
 * reapplied to what another request has saved in the meantime.
 */
export class KeyChanges {
  #changes: Map<string, Change> | null = null
  #cleared = false

  get isEmpty(): boolean {
    return this.#changes === null && !this.#cleared
  }

  set(key: string, value: unknown): void {
    this.#record(key, { present: true, value })
  }

  delete(key: string): void {
    this.#record(key, deleted)
  }

  /** Deletes every key, including those that have not been read yet. */
  clear(): void {
    this.#changes = null
    this.#cleared = true
  }

  /** The change to a key; null if it is unchanged. */
  find(key: string): Change | null {
    return this.#changes?.get(key) ?? (this.#cleared ? deleted : null)
  }

  /** The values with the changes applied; the same object if nothing differs. */
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

  #record(key: string, change: Change): void {
    this.#changes ??= new Map()
    this.#changes.set(key, change)
  }
}
