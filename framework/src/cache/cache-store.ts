/**
 * Stores texts by key for a limited time. Arguments are already validated: a key has at most 255
 * characters and no control characters, a ttl is a whole number of seconds, at least 1. An error whose
 * `unavailable` is true means that the store is temporarily unreachable, as opposed to misused.
 */
export interface CacheStore {
  /** The text under a key, or null when there is none or it has expired. */
  get(key: string): Promise<string | null>
  /** Stores a text under a key for `ttl` seconds and replaces an existing one. */
  set(key: string, text: string, ttl: number): Promise<void>
  /**
   * Atomically adds to the number under a key and returns the sum. A missing number starts at 0 and
   * expires after `ttl` seconds; an existing one keeps its expiry. Returns null and changes nothing
   * when the value is not a whole number.
   */
  increment(key: string, by: number, ttl: number): Promise<number | null>
  /** Deletes the text under a key. */
  delete(key: string): Promise<void>
}

/** The text as a whole number, or null when it is not a safe integer. */
export function wholeNumber(text: string): number | null {
  const value = /^(?:0|-?[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : null
}
