import { createHmac } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { networkOf } from '../../base/network.ts'
import { invalidArgument } from '../../base/errors.ts'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import type { Request } from '../request/request.ts'
import { hitTogether, releaseTogether, keepStatus, tooManyRequests } from './hit-together.ts'
import type { LimitedCounter } from './hit-together.ts'
import type { RateLimitStore } from './rate-limit-store.ts'

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
  /**
   * How many checks are left to a network that has not failed that often when the limit is used up, so that
   * strangers elsewhere do not lock the owner out. Such networks may fail `limit` times more, all together.
   * @default 0
   */
  readonly allowance?: number
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
    const { limit, perNetwork = limit, allowance = 0, lane = () => null } = options
    this.#options = { ...options, perNetwork, allowance, clock: options.clock ?? epochSeconds }
    checkNumbers(this.#options)
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
    const counters = await this.#count(request, account, this.#options.allowance)
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
    await this.#count(request, account, 0)
  }

  /**
   * Counts once where there is no request to refuse, for everybody together: whether that is within the
   * limit. For mails to an address, whoever has caused them.
   */
  async trySpend(account: string): Promise<boolean> {
    const { limit, store, clock } = this.#options
    const counters = [this.#counter(limit, ['account', account])]
    return (await hitTogether(store, counters, clock())).allowed
  }

  /** Returns the counters that have counted it. */
  async #count(
    request: Request,
    account: string,
    allowance: number,
  ): Promise<readonly LimitedCounter[]> {
    const { limit, window, store, clock } = this.#options
    const lane = await this.#lane(request, account)
    const counters = this.#counters(account, lane, request.peer)
    const now = clock()
    const result = await hitTogether(store, counters, now)
    if (result.allowed) return counters
    if (lane === null && allowance > 0) {
      const left = this.#left(account, request.peer)
      if ((await hitTogether(store, left, now)).allowed) return left
    }
    // Not before: the headers must not tell a visitor how often others have tried.
    keepStatus(request, limit, result)
    throw tooManyRequests({ limit, window, algorithm: 'fixed' }, result, now)
  }

  #counters(account: string, lane: string | null, peer: string): readonly LimitedCounter[] {
    const { limit, perNetwork } = this.#options
    if (lane !== null) return [this.#counter(limit, ['lane', account, lane])]
    const ofAll = this.#counter(limit, ['account', account])
    return perNetwork === limit ? [ofAll] : [this.#ofNetwork(account, peer), ofAll]
  }

  #ofNetwork(account: string, peer: string): LimitedCounter {
    return this.#counter(this.#options.perNetwork, ['network', account, networkOf(peer)])
  }

  /** The counters of the allowance: of the same hits of the network fewer are allowed. */
  #left(account: string, peer: string): readonly LimitedCounter[] {
    const { limit, allowance } = this.#options
    const { digest, rule } = this.#ofNetwork(account, peer)
    return [
      { digest, rule: { ...rule, limit: allowance } },
      this.#counter(limit, ['allowance', account]),
    ]
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

type Numbers = Required<Pick<AccountLimitOptions, 'limit' | 'perNetwork' | 'allowance' | 'window'>>

function checkNumbers({ limit, perNetwork, allowance, window }: Numbers): void {
  const isCount = (count: number): boolean => Number.isInteger(count) && count >= 1
  const isAllowance =
    allowance === 0 || (isCount(allowance) && allowance <= perNetwork && perNetwork < limit)
  if (isCount(limit) && isCount(perNetwork) && perNetwork <= limit && isAllowance && window > 0) {
    return
  }
  throw invalidArgument(
    'an account limit needs whole numbers of at least 1, perNetwork at most limit, a window above 0, and' +
      ' for an allowance a perNetwork of at least as many and below limit,' +
      ` got limit ${limit}, perNetwork ${perNetwork}, allowance ${allowance}, window ${window}`,
  )
}
