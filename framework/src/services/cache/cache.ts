import { Throwables } from '../../base/throwables/throwables.ts'
import { FrameworkError, InvalidArgumentException } from '../../base/errors.ts'
import type { CacheStore } from './cache-store.ts'
import type { JsonOf } from './json-of.ts'
import { Outage } from './outage.ts'

/** How a cache is used. */
export interface CacheOptions {
  /** What every key of this cache begins with, so that two of them share a store. */
  readonly prefix?: string
  /** Throw when the store cannot be reached, instead of going on without it. */
  readonly strict?: boolean
  /** Who hears of a store that cannot be reached. */
  readonly throwables?: Pick<Throwables, 'notify'>
  /** Epoch seconds. */
  readonly clock?: () => number
}

/** Something that is being made, and the write that keeps it once that has begun. */
interface Flight {
  readonly text: Promise<string>
  writing: Promise<unknown> | null
}

const maxKeyLength = 255
const maxTtl = 2 ** 31 - 1

/**
 * Keeps JSON values by key for some seconds. While its store cannot be reached, and unless it is
 * strict, nothing is found, nothing is kept, and that is reported once; only `increment` throws, since
 * nobody could tell a made-up number from a true one.
 */
export class Cache {
  readonly #store: CacheStore
  readonly #prefix: string
  readonly #isStrict: boolean
  readonly #outage: Outage
  readonly #flights = new Map<string, Flight>()

  constructor(store: CacheStore, options: CacheOptions = {}) {
    const { throwables = Throwables, clock = () => Date.now() / 1000 } = options
    this.#store = store
    this.#prefix = options.prefix ?? ''
    this.#isStrict = options.strict ?? false
    this.#outage = new Outage((error) => throwables.notify(error, { service: 'cache' }), clock)
  }

  /** The value under a key, each time a copy of its own; null when there is none. */
  async get(key: string): Promise<unknown> {
    const text = await this.#read(this.#key(key))
    if (text === null) return null
    try {
      return JSON.parse(text)
    } catch {
      throw notJson()
    }
  }

  /**
   * Puts a value under a key for `ttl` seconds.
   * @throws InvalidArgumentException E_CACHE_VALUE for what JSON cannot hold.
   */
  async set(key: string, value: unknown, ttl: number): Promise<void> {
    const name = this.#key(key)
    const text = encoded(value)
    checkTtl(ttl)
    await this.#overtake(name)
    await this.#write(name, text, ttl)
  }

  /**
   * Adds `by` to the number under a key in one step, whichever process does so at the same time, and
   * resolves with the sum. A number that is not there begins at 0 and lasts for `ttl` seconds; one
   * that is there keeps its time.
   * @throws FrameworkError E_CACHE_COUNT when something else than a whole number is there, and the
   *   store's own error when it cannot be reached.
   */
  async increment(key: string, ttl: number, by: number = 1): Promise<number> {
    const name = this.#key(key)
    checkTtl(ttl)
    if (!Number.isSafeInteger(by)) throw refused(`a cache counts in whole numbers, got ${by}`)
    await this.#overtake(name)
    const sum = await this.#store.increment(name, by, ttl)
    if (sum !== null && Number.isSafeInteger(sum)) return sum
    throw new FrameworkError(
      'E_CACHE_COUNT',
      'what is cached under this key is no whole number, or has grown past what a number can hold',
    )
  }

  /** Forgets the value under a key. What `remember` is making for it in this process is not kept. */
  async delete(key: string): Promise<void> {
    const name = this.#key(key)
    await this.#overtake(name)
    await this.#reach(() => this.#store.delete(name), undefined)
  }

  /**
   * The value under a key, or else what `make` gives, which is then kept for `ttl` seconds. Callers
   * that come meanwhile in this process wait for the same `make`; each gets a copy of its own. When
   * `make` fails they all hear of it, and nothing is kept.
   * @throws InvalidArgumentException E_CACHE_VALUE for what JSON cannot hold.
   */
  async remember<T>(
    key: string,
    ttl: number,
    make: () => T | Promise<T>,
  ): Promise<JsonOf<Awaited<T>>> {
    const name = this.#key(key)
    checkTtl(ttl)
    const flight = this.#flights.get(name) ?? this.#takeOff(name, ttl, make)
    const text = await flight.text
    try {
      // The text is that of what `make` gave, here or in another process.
      return JSON.parse(text) as JsonOf<Awaited<T>>
    } catch {
      throw notJson()
    }
  }

  #takeOff(name: string, ttl: number, make: () => unknown): Flight {
    const isCurrent = (): boolean => this.#flights.get(name) === flight
    const fly = async (): Promise<string> => {
      const kept = await this.#read(name)
      if (kept !== null) return kept
      const text = encoded(await make())
      // Who wrote or deleted meanwhile knows better than what was made before that.
      if (isCurrent()) await (flight.writing = this.#write(name, text, ttl))
      return text
    }
    const landed = fly().finally(() => {
      if (isCurrent()) this.#flights.delete(name)
    })
    const flight: Flight = { text: landed, writing: null }
    this.#flights.set(name, flight)
    return flight
  }

  // A write that has begun is waited for: on another connection it could come after what follows.
  async #overtake(name: string): Promise<void> {
    const flight = this.#flights.get(name)
    if (flight === undefined) return
    this.#flights.delete(name)
    await flight.writing?.catch(() => undefined)
  }

  #read(name: string): Promise<string | null> {
    return this.#reach(() => this.#store.get(name), null)
  }

  #write(name: string, text: string, ttl: number): Promise<void> {
    return this.#reach(() => this.#store.set(name, text, ttl), undefined)
  }

  async #reach<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      const answer = await work()
      this.#outage.end()
      return answer
    } catch (error) {
      if (this.#isStrict || !this.#store.isAway(error)) throw error
      this.#outage.begin(error)
      return otherwise
    }
  }

  #key(key: string): string {
    const name = this.#prefix + key
    const fits = key !== '' && name.length <= maxKeyLength
    if (fits && name.isWellFormed() && !/\p{Cc}/u.test(name)) return name
    throw refused(
      `a key of a cache is 1 to ${maxKeyLength} characters with its prefix, none of them a control character`,
    )
  }
}

function checkTtl(ttl: number): void {
  if (Number.isInteger(ttl) && ttl >= 1 && ttl <= maxTtl) return
  throw refused(`the ttl of a cached value is a whole number of seconds from 1, got ${ttl}`)
}

function refused(message: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', message)
}

function encoded(value: unknown): string {
  try {
    const text: unknown = JSON.stringify(value)
    if (typeof text === 'string') return text
  } catch {
    // The text of that error shows parts of the value.
  }
  throw new InvalidArgumentException(
    'E_CACHE_VALUE',
    `JSON cannot hold this value, which is of type ${typeof value}, or something in it`,
  )
}

function notJson(): FrameworkError {
  return new FrameworkError(
    'E_CACHE_VALUE',
    'what is cached under this key is no JSON; something else writes there',
  )
}
