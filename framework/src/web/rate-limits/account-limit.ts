import { createHmac } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { networkOf } from '../../base/addresses/network-of.ts'
import { InvalidArgumentException } from '../../base/errors.ts'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import type { Request } from '../request/request.ts'
import { hitTogether, releaseTogether } from './hit-together.ts'
import type { LimitedCounter } from './hit-together.ts'
import type { RateLimitStore } from './rate-limit-store.ts'
import { keepStatus, tooManyRequests } from './too-many-requests.ts'

/**
 * Returns the name of a lane of an account, with counters of its own, for visitors who have shown that
 * they belong to it; null for anybody else. `deviceLane` is one.
 */
export type AccountLane = (
  request: Request,
  account: string,
) => string | null | Promise<string | null>

/** Options of `AccountLimit`. */
export interface AccountLimitOptions {
  /** What is limited. Limits with different names never share a counter. */
  readonly name: string
  /** How many an account allows in one window. */
  readonly limit: number
  /** Length of a window in seconds; it starts with the first one counted. */
  readonly window: number
  /**
   * How many of them one network may use up, an IPv4 /24 or IPv6 /48: fewer than `limit`, so that one
   * stranger alone cannot make the owner wait.
   * @default limit
   */
  readonly perNetwork?: number
  readonly store: RateLimitStore
  /** Keys the digests under which accounts are counted: `applicationKey(…).derive('account limits')`. */
  readonly key: KeyObject
  /** @default everybody counts together */
  readonly lane?: AccountLane
  /** Epoch seconds; for tests. */
  readonly clock?: () => number
}

/**
 * Limits what may be tried with one account, such as wrong passwords, from all networks together. Unlike
 * `RateLimit` it is called by handlers, because it counts only what was checked and failed. Accounts that
 * do not exist are counted alike, so a refusal reveals nothing. Put a `RateLimit` on the route as well:
 * it bounds how many accounts, and so counters, one network can go through.
 */
export class AccountLimit {
  readonly #options: Required<Omit<AccountLimitOptions, 'lane'>>
  readonly #lane: AccountLane

  /** @throws InvalidArgumentException for invalid numbers. */
  constructor(options: AccountLimitOptions) {
    const { limit, window, perNetwork = limit, lane = () => null } = options
    checkNumbers(limit, perNetwork, window)
    this.#options = { ...options, perNetwork, clock: options.clock ?? epochSeconds }
    this.#lane = lane
  }

  /**
   * Runs a check and counts it if it fails, that is, if it returns null or false. It is counted before it
   * runs and released if it succeeds or throws, so concurrent checks cannot exceed the limit. A null
   * account is not counted: there can be none by that name.
   * @throws HttpError 429 above the limit; then the check does not run.
   */
  async run<Result>(
    request: Request,
    account: string | null,
    check: () => Promise<Result>,
  ): Promise<Result> {
    if (account === null) return check()
    const counters = await this.#count(request, account)
    let hasFailed = false
    try {
      const result = await check()
      hasFailed = result === null || result === false
      return result
    } finally {
      const { store, clock } = this.#options
      if (!hasFailed) await releaseTogether(store, counters, clock())
    }
  }

  /**
   * Counts once, whatever comes of it: for a mail to an address, for example.
   * @throws HttpError 429 above the limit.
   */
  async spend(request: Request, account: string): Promise<void> {
    await this.#count(request, account)
  }

  async #count(request: Request, account: string): Promise<readonly LimitedCounter[]> {
    const { limit, window, store, clock } = this.#options
    const counters = this.#counters(account, await this.#lane(request, account), request.peer)
    const now = clock()
    const result = await hitTogether(store, counters, now)
    if (result.allowed) return counters
    // Not before: the headers must not tell a visitor how often others have tried.
    keepStatus(request, limit, result)
    throw tooManyRequests({ limit, window, algorithm: 'fixed' }, result, now)
  }

  #counters(account: string, lane: string | null, peer: string): readonly LimitedCounter[] {
    const { limit, perNetwork } = this.#options
    if (lane !== null) return [this.#counter(limit, ['lane', account, lane])]
    const ofAll = this.#counter(limit, ['account', account])
    if (perNetwork === limit) return [ofAll]
    return [this.#counter(perNetwork, ['network', account, networkOf(peer)]), ofAll]
  }

  // Keyed: whoever reads the table cannot find out by trying whose accounts are under attack.
  #counter(limit: number, parts: readonly string[]): LimitedCounter {
    const { name, window, key } = this.#options
    const text = JSON.stringify([name, limit, window, ...parts])
    return {
      digest: createHmac('sha256', key).update(text).digest('hex'),
      rule: { limit, window, algorithm: 'fixed', releasable: true },
    }
  }
}

function checkNumbers(limit: number, perNetwork: number, window: number): void {
  const isCount = (count: number): boolean => Number.isInteger(count) && count >= 1
  if (isCount(limit) && isCount(perNetwork) && perNetwork <= limit && window > 0) return
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    'an account limit needs whole numbers of at least 1, perNetwork at most limit, and a window above 0, ' +
      `got limit ${limit}, perNetwork ${perNetwork}, window ${window}`,
  )
}
