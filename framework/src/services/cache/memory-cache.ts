import { InvalidArgumentException } from '../../base/errors.ts'
import { wholeNumber } from './cache-store.ts'
import type { CacheStore } from './cache-store.ts'

/** How much a cache in memory may hold. */
export interface MemoryCacheOptions {
  /** Most entries, 10,000 unless given. */
  readonly entries?: number
  /** Most characters of all keys and JSON texts together, 32 Mi unless given. */
  readonly characters?: number
  /** Epoch seconds. */
  readonly clock?: () => number
}

interface Entry {
  readonly text: string
  readonly expires: number
}

/**
 * A cache in the memory of this process, for tests and for what each worker may know by itself. When
 * it is full, what was not asked for the longest is forgotten.
 */
export class MemoryCache implements CacheStore {
  // A map keeps the order in which keys came: the first one is the next to go.
  readonly #entries = new Map<string, Entry>()
  readonly #maxEntries: number
  readonly #maxCharacters: number
  readonly #clock: () => number
  #characters = 0

  /** @throws InvalidArgumentException for a limit that is no whole number from 1. */
  constructor(options: MemoryCacheOptions = {}) {
    this.#maxEntries = checkedLimit('entries', options.entries ?? 10_000)
    this.#maxCharacters = checkedLimit('characters', options.characters ?? 32 * 1024 * 1024)
    this.#clock = options.clock ?? (() => Date.now() / 1000)
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

  isAway(): boolean {
    return false
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
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${name} of a cache in memory is a whole number from 1, got ${value}`,
  )
}
