import { hash } from 'node:crypto'
import { ConfigurationError, InvalidArgumentException } from '../../base/errors.ts'
import { HttpError } from '../errors/http-error.ts'
import { MemoryRateLimits } from '../rate-limits/memory-rate-limits.ts'
import { peerKey } from '../rate-limits/peer-key.ts'
import type { RateKey } from '../rate-limits/rate-key.ts'
import { RateAlgorithms } from '../rate-limits/rate-limit-store.ts'
import type { RateLimitStore, RateRule, RateVerdict } from '../rate-limits/rate-limit-store.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'
import type { ServerHost } from '../server/server-host.ts'

/** What is limited, and how. */
export interface RateLimitOptions {
  /** Requests that are let through in one window. */
  readonly limit: number
  /** Seconds. */
  readonly window: number
  /** Whom a request is counted for; the peer unless given. One without a key is not counted. */
  readonly key?: RateKey
  /** `fixed`, unless given: a window starts at its first request. `sliding` has no such edges. */
  readonly algorithm?: RateAlgorithms
  /** Where it is counted; the store of the server unless given. */
  readonly store?: RateLimitStore
  /** Stands in place of the route: limits of the same name and numbers share their counters. */
  readonly name?: string
  /** Whether it runs before the middlewares of the server; true unless given. */
  readonly early?: boolean
  /** Epoch seconds, in place of the time of day. */
  readonly clock?: () => number
}

/** The largest number that a column of a counter holds. */
const maxLimit = 2 ** 31 - 1

/**
 * Lets so many requests through in a window and answers the others with 429. Counters are kept
 * apart by route, so that two routes never share one by accident. A limit belongs to a route and
 * still runs before everything else, so that who is refused costs nothing more.
 */
export class RateLimit implements MiddlewareObject {
  readonly early: boolean
  readonly #rule: RateRule
  readonly #key: RateKey | null
  readonly #name: string | null
  readonly #clock: () => number
  readonly #given: RateLimitStore | null
  #store: RateLimitStore

  /** @throws InvalidArgumentException for options that cannot work. */
  constructor(options: RateLimitOptions) {
    const { limit, window, algorithm = RateAlgorithms.Fixed, key, name, store } = options
    const { early = true, clock = () => Date.now() / 1000 } = options
    this.early = early
    this.#rule = checkedRule({ limit, window, algorithm })
    this.#key = key ?? null
    this.#name = name ?? null
    this.#clock = clock
    this.#given = store ?? null
    this.#store = store ?? new MemoryRateLimits()
  }

  /** @throws ConfigurationError when each worker of a fleet would count for itself. */
  attach({ rateLimits, workers }: Pick<ServerHost, 'rateLimits' | 'workers'>): void {
    if (this.#given !== null) return
    if (rateLimits !== null) this.#store = rateLimits
    else if (workers > 1) {
      throw new ConfigurationError(
        'E_RATE_LIMIT',
        `a rate limit has no store, and ${workers} workers that count for themselves let through ` +
          'as many times more; give the server one by server.rateLimits(…), or the limit by its option store',
      )
    }
  }

  /** @throws HttpError 429, with `Retry-After`. */
  process(request: Request, _response: Response, next: Next): Response | Promise<Response> {
    const key = this.#key === null ? peerKey(request.peer) : this.#key(request)
    if (key instanceof Promise) return key.then((value) => this.#count(value, request, next))
    return this.#count(key, request, next)
  }

  finish(request: Request, response: Response): void {
    showStatus(request, response)
  }

  #count(key: string | null, request: Request, next: Next): Response | Promise<Response> {
    if (key === null) return next()
    const now = this.#clock()
    const verdict = this.#store.hit(this.#digest(key, request), this.#rule, now)
    if (!(verdict instanceof Promise)) return this.#judge(verdict, request, next, now)
    return verdict.then((late) => this.#judge(late, request, next, now))
  }

  #judge(
    verdict: RateVerdict,
    request: Request,
    next: Next,
    now: number,
  ): Response | Promise<Response> {
    const { limit, window } = this.#rule
    noteStatus(request, limit, verdict)
    if (verdict.allowed) return next()
    const wait = Math.max(1, Math.ceil(verdict.retry - now))
    throw new HttpError(
      429,
      `${limit} requests in ${window} s are allowed here, this one came too soon by ${wait} s`,
      { headers: { 'Retry-After': String(wait) } },
    )
  }

  // Only the digest leaves this process: a key may be made of an address, a name or a secret. The
  // numbers belong to it, because two limits on one route may count for the same key.
  #digest(key: string, request: Request): string {
    if (typeof key !== 'string') throw unusableKey(key)
    const { limit, window, algorithm } = this.#rule
    const place = this.#name === null ? ['route', routeOf(request)] : ['name', this.#name]
    const kind = this.#key === null ? 'peer' : 'key'
    const parts = [...place, limit, window, algorithm, kind, key]
    return hash('sha256', JSON.stringify(parts), 'hex')
  }
}

// HEAD is answered by the GET route, and must not be a way around its limit.
function routeOf({ method, route }: Request): string {
  return `${method === 'HEAD' ? 'GET' : method} ${route ?? ''}`
}

/** Keeps the status of a limit for the headers, unless another one of the route leaves less room. */
function noteStatus(request: Request, limit: number, verdict: RateVerdict): void {
  const { rateLimit } = request
  if (rateLimit !== null && verdict.allowed && rateLimit.remaining <= verdict.remaining) return
  request.rateLimit = { ...verdict, limit }
}

/** Puts it on an answer, of whatever kind: an error answer has lost the headers set before. */
function showStatus({ rateLimit }: Request, { headers }: Response): void {
  if (rateLimit === null) return
  headers.set('X-RateLimit-Limit', String(rateLimit.limit))
  headers.set('X-RateLimit-Remaining', String(rateLimit.remaining))
  headers.set('X-RateLimit-Reset', String(Math.ceil(rateLimit.reset)))
}

function checkedRule(rule: RateRule): RateRule {
  const { limit, window, algorithm } = rule
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    throw invalidOption('limit', `a whole number from 1 to ${maxLimit}`, limit)
  }
  if (!Number.isFinite(window) || window <= 0) {
    throw invalidOption('window', 'seconds above zero', window)
  }
  if (!Object.values(RateAlgorithms).includes(algorithm)) {
    throw invalidOption('algorithm', '"fixed" or "sliding"', algorithm)
  }
  return rule
}

function invalidOption(option: string, expected: string, came: unknown): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `rate limit option "${option}" must be ${expected}, not ${JSON.stringify(came)}`,
  )
}

function unusableKey(key: never): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `the key of a rate limit gave ${typeof key}; it gives a text, or null for a request that is not counted`,
  )
}
