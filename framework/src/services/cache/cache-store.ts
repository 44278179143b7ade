/**
 * Keeps texts by key for a while. Keys, texts and times come checked: a key is at most 255 characters
 * without control characters, a ttl a whole number of seconds from 1.
 */
export interface CacheStore {
  /** The text under a key, or null when there is none or its time is over. */
  get(key: string): Promise<string | null>
  /** Puts a text under a key for `ttl` seconds, in the place of whatever was there. */
  set(key: string, text: string, ttl: number): Promise<void>
  /**
   * Adds to the number under a key in one step, whoever else does so at the same time. Where there is
   * none it begins at 0 and lasts for `ttl` seconds; a time that is running is left as it is. Null,
   * and nothing changed, when something else than a whole number is there.
   */
  increment(key: string, by: number, ttl: number): Promise<number | null>
  /** Forgets what is under a key. */
  delete(key: string): Promise<void>
  /** Whether an error of this store says that it cannot be reached for now, and not that it was misused. */
  isAway(error: unknown): boolean
}

/** The whole number that a JSON text is, or null when it is none that JavaScript can count with. */
export function wholeNumber(text: string): number | null {
  const value = /^(?:0|-?[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : null
}
