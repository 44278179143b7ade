import { hash } from 'node:crypto'
import { ConfigurationError, invalidArgument } from '../../base/errors.ts'
import type { InvalidArgumentException } from '../../base/errors.ts'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import type { HttpError } from '../errors/http-error.ts'
import {
  hitTogether,
  releaseTogether,
  keepStatus,
  tooManyRequests,
} from '../rate-limits/hit-together.ts'
import type { LimitedCounter } from '../rate-limits/hit-together.ts'
import { MemoryRateLimits } from '../rate-limits/memory-rate-limits.ts'
import { peerCounters } from '../../base/network.ts'
import { RateAlgorithms } from '../rate-limits/rate-limit-store.ts'
import type { RateLimitStore, RateRule, RateLimitResult } from '../rate-limits/rate-limit-store.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'
import { Phases } from '../router/phases.ts'
import type { MiddlewarePhase } from '../router/phases.ts'
import type { ServerHost } from '../server/server-host.ts'
import type { Submission } from '../submissions/submission.ts'
import { isForm } from '../request/form.ts'
import { readFields } from '../input/read-fields.ts'

/** Returns the key a request is counted by; null for a request that is not counted. */
export type RateKey = (request: Request) => string | null | Promise<string | null>

/** Options of `RateLimit`. */
export interface RateLimitOptions {
  /** Requests allowed in one window. */
  readonly limit: number
  /** Length of a window in seconds. */
  readonly window: number
  /**
   * What requests are counted by. A request whose key is null is not counted.
   * @default the client's address, and of IPv6 its networks too, see `peerKey`
   */
  readonly key?: RateKey
  /**
   * With `fixed`, a window starts at its first request and then ends all at once; `sliding` has no such
   * edges.
   * @default 'fixed'
   */
  readonly algorithm?: RateAlgorithms
  /** Where requests are counted. @default the store of the server */
  readonly store?: RateLimitStore
  /** Replaces the route in the key: limits with the same name and numbers share their counters. */
  readonly name?: string
  /**
   * `guard` for a limit whose key needs the session.
   * @default 'limits': before the middlewares of the server
   */
  readonly phase?: MiddlewarePhase
  /** Epoch seconds; for tests. */
  readonly clock?: () => number
}

/** The maximum of the integer column of a counter. */
const maxLimit = 2 ** 31 - 1

/**
 * Allows a number of requests per window and responds to the others with 429. Each route has its own
 * counters, so two routes never share one by accident. Although a limit belongs to a route it runs
 * before the server's middlewares, so that a refused request costs as little as possible; only requests
 * of other sites are refused earlier, by `Csrf`, without being counted.
 */
export class RateLimit implements MiddlewareObject {
  readonly phase: MiddlewarePhase
  readonly #rule: RateRule
  readonly #key: RateKey | null
  readonly #name: string | null
  readonly #clock: () => number
  readonly #given: RateLimitStore | null
  #store: RateLimitStore

  /** @throws InvalidArgumentException for invalid options. */
  constructor(options: RateLimitOptions) {
    const { limit, window, algorithm = RateAlgorithms.Fixed, key, name, store } = options
    const { phase = Phases.Limits, clock = epochSeconds } = options
    this.phase = phase
    this.#rule = checkedRule({ limit, window, algorithm })
    this.#key = key ?? null
    this.#name = name ?? null
    this.#clock = clock
    this.#given = store ?? null
    this.#store = store ?? new MemoryRateLimits()
  }

  /** @throws ConfigurationError if each worker of a fleet would count separately. */
  attach({ rateLimits, workers }: Pick<ServerHost, 'rateLimits' | 'workers'>): void {
    if (this.#given !== null) return
    if (rateLimits !== null) this.#store = rateLimits
    else if (workers > 1) {
      throw new ConfigurationError(
        'E_RATE_LIMIT',
        `a rate limit has no store, and ${workers} workers that each count alone would allow ${workers} ` +
          'times the limit; set a store with server.rateLimits(…) or the option store',
      )
    }
  }

  /** @throws HttpError 429, with `Retry-After`. */
  process(request: Request, _response: Response, next: Next): Response | Promise<Response> {
    if (this.#key === null) return this.#count(this.#peerCounters(request), request, next)
    const key = this.#key(request)
    if (key instanceof Promise) return key.then((value) => this.#countKey(value, request, next))
    return this.#countKey(key, request, next)
  }

  /** Here, because an error response has lost the headers set before. */
  finish({ rateLimit }: Request, { headers }: Response): void {
    if (rateLimit === null) return
    headers.set('X-RateLimit-Limit', String(rateLimit.limit))
    headers.set('X-RateLimit-Remaining', String(rateLimit.remaining))
    headers.set('X-RateLimit-Reset', String(Math.ceil(rateLimit.reset)))
  }

  #countKey(key: string | null, request: Request, next: Next): Response | Promise<Response> {
    if (key === null) return next()
    if (typeof key !== 'string') throw invalidKey(key)
    const digest = this.#digest(request, ['key', key])
    return this.#count([{ digest, rule: this.#rule }], request, next)
  }

  #peerCounters(request: Request): readonly LimitedCounter[] {
    const counters = peerCounters(request.peer)
    return counters.map(({ key, times }) => ({
      digest: this.#digest(request, ['peer', key]),
      rule: counters.length === 1 ? this.#rule : networkRule(this.#rule, times),
    }))
  }

  #count(
    counters: readonly LimitedCounter[],
    request: Request,
    next: Next,
  ): Response | Promise<Response> {
    const now = this.#clock()
    const result = hitTogether(this.#store, counters, now)
    if (!(result instanceof Promise)) return this.#enforce(counters, result, request, next, now)
    return result.then((counted) => this.#enforce(counters, counted, request, next, now))
  }

  #enforce(
    counters: readonly LimitedCounter[],
    result: RateLimitResult,
    request: Request,
    next: Next,
    now: number,
  ): Response | Promise<Response> {
    keepStatus(request, this.#rule.limit, result)
    const submission = request.submission?.isOpen === true ? request.submission : null
    if (result.allowed) {
      submission?.count(() => releaseTogether(this.#store, counters, this.#clock()))
      return next()
    }
    const refusal = tooManyRequests(this.#rule, result, now)
    if (submission === null) throw refusal
    return this.#passRepeat(submission, refusal, request, next)
  }

  // A form above the limit may repeat one that was let in, which only its body tells. Bodies that turn out
  // to be something else are read as often as the limit allows, so a flood of forms costs little more.
  async #passRepeat(
    submission: Submission,
    refusal: HttpError,
    request: Request,
    next: Next,
  ): Promise<Response> {
    const [key = ''] = peerCounters(request.peer).map((counter) => counter.key)
    const digest = this.#digest(request, ['repeat', key])
    const { allowed } = await this.#store.hit(digest, this.#rule, this.#clock())
    if (!allowed) throw refusal
    submission.count(() => this.#store.release?.(digest, this.#clock()))
    submission.refuse(refusal)
    return next()
  }

  // Only the digest leaves this process: a key may be an address, a name or a secret. It includes the
  // numbers, because two limits on one route may use the same key.
  #digest(request: Request, key: readonly [kind: string, key: string]): string {
    const { limit, window, algorithm } = this.#rule
    const scope = this.#name === null ? ['route', routeOf(request)] : ['name', this.#name]
    return hash('sha256', JSON.stringify([...scope, limit, window, algorithm, ...key]), 'hex')
  }
}

/**
 * Counts by a field of the form or JSON body, such as the e-mail of a sign-in. The value is normalised,
 * so that another spelling is not a way around the limit. A request without a value is not counted.
 * @param normal Normalises a value, or returns null: by default trims and lower-cases it; use
 *   `normalEmail` for e-mails.
 * @throws HttpError, asynchronously, for a body that cannot be read.
 */
export function fieldKey(
  name: string,
  normal: (text: string) => string | null = (text) => text.trim().toLowerCase(),
): RateKey {
  return async (request) => {
    const value = await fieldOf(request, name)
    return typeof value === 'string' ? normal(value) || null : null
  }
}

async function fieldOf(request: Request, name: string): Promise<unknown> {
  if (!request.hasBody) return null
  if (!isForm(request.type) && request.type !== 'application/json') return null
  return (await readFields(request))[name]
}

// HEAD is served by the GET route and must not be a way around its limit.
function routeOf({ method, route }: Request): string {
  return `${method === 'HEAD' ? 'GET' : method} ${route ?? ''}`
}

/** The rule of one of several networks; what another of them refuses is released again. */
function networkRule(rule: RateRule, times: number): RateRule {
  return { ...rule, limit: Math.min(rule.limit * times, maxLimit), releasable: true }
}

function checkedRule(rule: RateRule): RateRule {
  const { limit, window, algorithm } = rule
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    throw invalidOption('limit', `a whole number from 1 to ${maxLimit}`, limit)
  }
  if (!Number.isFinite(window) || window <= 0) {
    throw invalidOption('window', 'a number of seconds above 0', window)
  }
  if (!Object.values(RateAlgorithms).includes(algorithm)) {
    throw invalidOption('algorithm', '"fixed" or "sliding"', algorithm)
  }
  return rule
}

function invalidOption(option: string, expected: string, got: unknown): InvalidArgumentException {
  return invalidArgument(
    `rate limit option "${option}" must be ${expected}, got ${JSON.stringify(got)}`,
  )
}

function invalidKey(key: never): InvalidArgumentException {
  return invalidArgument(
    `the key of a rate limit must return a string, or null for a request that is not counted, got ${typeof key}`,
  )
}
