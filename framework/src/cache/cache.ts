import { jsonOf } from '../base/encoding/json-of.ts'
import type { JsonOf } from '../base/encoding/json-of.ts'
import { FrameworkError, InvalidArgumentException, invalidArgument } from '../base/errors.ts'
import { epochSeconds } from '../base/time/epoch-seconds.ts'
import { OutageReporter } from '../errors/throwables/outage-reporter.ts'
import { Throwables } from '../errors/throwables/throwables.ts'
import { StepKinds } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import type { CacheStore } from './cache-store.ts'

/** Options of `Cache`. */
export interface CacheOptions {
  /** Prefix of every key, so that several caches can share a store. @default '' */
  readonly prefix?: string
  /** Throw when the store is unreachable, instead of continuing without it. @default false */
  readonly strict?: boolean
  /** Receives a report when the store becomes unreachable. */
  readonly throwables?: Pick<Throwables, 'notify'>
  /** Epoch seconds. */
  readonly clock?: () => number
}

/** A value that is being computed, and the write that stores it, once started. */
interface Flight {
  readonly text: Promise<string>
  writing: Promise<unknown> | null
}

const maxKeyLength = 255
const maxTtl = 2 ** 31 - 1

/**
 * Caches JSON values by key for a number of seconds. Unless it is strict, an unreachable store is
 * reported once and means that nothing is found or stored; only `increment` throws then, because a
 * made-up count would be wrong.
 */
export class Cache {
  readonly #store: CacheStore
  readonly #prefix: string
  readonly #isStrict: boolean
  readonly #outage: OutageReporter
  readonly #flights = new Map<string, Flight>()

  constructor(store: CacheStore, options: CacheOptions = {}) {
    const { throwables = Throwables, clock = epochSeconds } = options
    this.#store = store
    this.#prefix = options.prefix ?? ''
    this.#isStrict = options.strict ?? false
    this.#outage = new OutageReporter(
      (error) => throwables.notify(error, { service: 'cache' }),
      clock,
    )
  }

  /** A fresh copy of the value under a key, or null when there is none. */
  async get(key: string): Promise<unknown> {
    const text = await this.#read(this.#key(key))
    return text === null ? null : decoded(text)
  }

  /**
   * Stores a value under a key for `ttl` seconds.
   * @throws InvalidArgumentException E_CACHE_VALUE for a value that is not JSON.
   */
  async set(key: string, value: unknown, ttl: number): Promise<void> {
    const name = this.#key(key)
    const text = encoded(value)
    checkTtl(ttl)
    await this.#supersede(name)
    await this.#write(name, text, ttl)
  }

  /**
   * Atomically adds `by` to the number under a key, across all processes, and resolves with the sum.
   * A missing number starts at 0 and expires after `ttl` seconds; an existing one keeps its expiry.
   * @throws FrameworkError E_CACHE_COUNT when the value is not a whole number, and the store's own
   *   error when it is unreachable.
   */
  async increment(key: string, ttl: number, by: number = 1): Promise<number> {
    const name = this.#key(key)
    checkTtl(ttl)
    if (!Number.isSafeInteger(by)) throw invalidArgument(`by must be a whole number, got ${by}`)
    await this.#supersede(name)
    const sum = await this.#store.increment(name, by, ttl)
    if (sum !== null && Number.isSafeInteger(sum)) return sum
    throw new FrameworkError(
      'E_CACHE_COUNT',
      'the value cached under this key is not a whole number, or has become too large',
    )
  }

  /** Deletes the value under a key. A value that `remember` is just computing for it is not stored. */
  async delete(key: string): Promise<void> {
    const name = this.#key(key)
    await this.#supersede(name)
    await this.#reach(() => this.#store.delete(name), undefined)
  }

  /**
   * The value under a key, or else the result of `make`, which is then stored for `ttl` seconds.
   * Concurrent callers in this process share one call of `make`; each gets its own copy. When `make`
   * fails, all of them fail and nothing is stored.
   * @throws InvalidArgumentException E_CACHE_VALUE for a value that is not JSON.
   */
  async remember<T>(
    key: string,
    ttl: number,
    make: () => T | Promise<T>,
  ): Promise<JsonOf<Awaited<T>>> {
    const name = this.#key(key)
    checkTtl(ttl)
    const flight = this.#flights.get(name) ?? this.#start(name, ttl, make)
    // `make` returned this value, here or in another process.
    return decoded(await flight.text) as JsonOf<Awaited<T>>
  }

  #start(name: string, ttl: number, make: () => unknown): Flight {
    const isCurrent = (): boolean => this.#flights.get(name) === flight
    const load = async (): Promise<string> => {
      const cached = await this.#read(name)
      if (cached !== null) return cached
      const text = encoded(await make())
      // A value that was set or deleted meanwhile is newer than this one.
      if (isCurrent()) await (flight.writing = this.#write(name, text, ttl))
      return text
    }
    const loaded = load().finally(() => {
      if (isCurrent()) this.#flights.delete(name)
    })
    const flight: Flight = { text: loaded, writing: null }
    this.#flights.set(name, flight)
    return flight
  }

  // Waits for a started write: on another connection it could arrive after the caller's own write.
  async #supersede(name: string): Promise<void> {
    const flight = this.#flights.get(name)
    if (flight === undefined) return
    this.#flights.delete(name)
    await flight.writing?.catch(() => undefined)
  }

  async #read(name: string): Promise<string | null> {
    const step = Steps.Instance.begin(StepKinds.Cache, 'miss')
    step?.leave()
    const text = await this.#reach(() => this.#store.get(name), null)
    if (step === null) return text
    if (text !== null) step.name = 'hit'
    step.end(0, null)
    return text
  }

  #write(name: string, text: string, ttl: number): Promise<void> {
    return this.#reach(() => this.#store.set(name, text, ttl), undefined)
  }

  async #reach<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      const result = await work()
      this.#outage.recovered()
      return result
    } catch (error) {
      if (this.#isStrict || Object(error).unavailable !== true) throw error
      this.#outage.failed(error)
      return otherwise
    }
  }

  #key(key: string): string {
    const name = this.#prefix + key
    const fits = key !== '' && name.length <= maxKeyLength
    if (fits && name.isWellFormed() && !/\p{Cc}/u.test(name)) return name
    throw invalidArgument(
      `a cache key must have 1 to ${maxKeyLength} characters including its prefix, and no control characters`,
    )
  }
}

function checkTtl(ttl: number): void {
  if (Number.isInteger(ttl) && ttl >= 1 && ttl <= maxTtl) return
  throw invalidArgument(`ttl must be a whole number of seconds, at least 1, got ${ttl}`)
}

function encoded(value: unknown): string {
  const text = `this value of type ${typeof value}, or a part of it, cannot be written as JSON`
  return jsonOf(value, () => new InvalidArgumentException('E_CACHE_VALUE', text))
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new FrameworkError(
      'E_CACHE_VALUE',
      'the text cached under this key is not JSON; something else writes to the same key',
    )
  }
}
