import { invalidArgument } from '../base/errors.ts'
import { epochSeconds } from '../base/time/epoch-seconds.ts'
import { wholeNumber } from './cache-store.ts'
import type { CacheStore } from './cache-store.ts'

/** Options of `MemoryCache`. */
export interface MemoryCacheOptions {
  /** Maximum number of entries. @default 10_000 */
  readonly entries?: number
  /** Maximum total length of all keys and JSON texts, in characters. @default 33_554_432 */
  readonly characters?: number
  /** Epoch seconds. */
  readonly clock?: () => number
}

interface Entry {
  readonly text: string
  readonly expires: number
}

/**
 * A cache in the memory of this process, for tests and for values that each worker may cache for
 * itself. When it is full, the least recently used entries are dropped.
 */
export class MemoryCache implements CacheStore {
  // A map keeps insertion order: the first entry is the least recently used.
  readonly #entries = new Map<string, Entry>()
  readonly #maxEntries: number
  readonly #maxCharacters: number
  readonly #clock: () => number
  #characters = 0

  /** @throws InvalidArgumentException for a limit that is not a whole number of at least 1. */
  constructor(options: MemoryCacheOptions = {}) {
    this.#maxEntries = checkedLimit('entries', options.entries ?? 10_000)
    this.#maxCharacters = checkedLimit('characters', options.characters ?? 32 * 1024 * 1024)
    this.#clock = options.clock ?? epochSeconds
  }

  async get(key: string): Promise<string | null> {
    const entry = this.#live(key)
    if (entry === null) return null
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.text
  }

  async set(key: string, text: string, ttl: number): Promise<void> {
    this.#put(key, { text, expires: this.#clock() + ttl })
  }

  async increment(key: string, by: number, ttl: number): Promise<number | null> {
    const { text, expires } = this.#live(key) ?? { text: '0', expires: this.#clock() + ttl }
    const number = wholeNumber(text)
    if (number === null) return null
    this.#put(key, { text: String(number + by), expires })
    return number + by
  }

  async delete(key: string): Promise<void> {
    this.#forget(key)
  }

  #live(key: string): Entry | null {
    const entry = this.#entries.get(key)
    if (entry === undefined) return null
    if (entry.expires > this.#clock()) return entry
    this.#forget(key)
    return null
  }

  #put(key: string, entry: Entry): void {
    this.#forget(key)
    this.#entries.set(key, entry)
    this.#characters += key.length + entry.text.length
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries && this.#characters <= this.#maxCharacters) break
      this.#forget(oldest)
    }
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#characters -= key.length + entry.text.length
  }
}

function checkedLimit(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw invalidArgument(
    `${name} of a MemoryCache must be a whole number of at least 1, got ${value}`,
  )
}
