import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApplicationKey } from '../../settings/application-key.ts'
import { Throwables } from '../../errors/throwables/throwables.ts'
import { invalidArgument } from '../../base/errors.ts'
import { networkOf } from '../../base/network.ts'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import { HttpError } from '../errors/http-error.ts'
import { MemoryRateLimits } from '../rate-limits/memory-rate-limits.ts'
import { RateAlgorithms } from '../rate-limits/rate-limit-store.ts'
import type { RateLimitStore, RateRule } from '../rate-limits/rate-limit-store.ts'
import { isNavigation } from '../request/fetch-intent.ts'
import type { Request, SessionOpener } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { mapResponse } from '../router/middleware.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'
import { Phases } from '../router/phases.ts'
import type { MiddlewarePhase } from '../router/phases.ts'
import { sendCookie } from '../response/set-cookie.ts'
import type { ServerHost } from '../server/server-host.ts'
import { GuestCookies } from './guest-cookies.ts'
import { holdsPending } from './session-data.ts'
import { SessionCookie } from './session-cookie.ts'
import type { SessionCookieOptions } from './session-cookie.ts'
import { IdentityKeys } from './identity-keys.ts'
import { sessionHandle } from './session-id.ts'
import { SessionKeeper } from './session-keeper.ts'
import type { SessionSettings } from './session-keeper.ts'
import type { ListedSession, SessionStore } from './session-store.ts'
import { Session } from './session.ts'
import { askStore } from './session-store.ts'

/** How many sessions of guests one network may add to the store. */
export interface GuestLimitOptions {
  /** @default 100 */
  readonly limit?: number
  /** Seconds. @default 600 */
  readonly window?: number
}

/** Options of `Sessions`. Times are seconds. */
export interface SessionsOptions extends SessionCookieOptions {
  /** Maximum time between two uses, at least 120. @default 7200 */
  readonly idle?: number
  /** Maximum age of an id, at least 120. @default 86400 */
  readonly lifetime?: number
  /**
   * Encrypts the sessions of guests in their cookies: `applicationKey(configs.key, boot)`.
   * @default none: sessions of guests are in the store
   */
  readonly key?: ApplicationKey
  /**
   * Where the sessions of visitors live who have not signed in: `cookie` holds at most 3.5 KB and costs
   * the store nothing; with `store` anybody can add rows.
   * @default 'cookie' with a `key`, otherwise 'store'
   */
  readonly guests?: 'cookie' | 'store'
  /**
   * How many guests of one network (IPv4 /24, IPv6 /48) may get a row; with `guests: 'store'` only.
   * @default { limit: 100, window: 600 }
   */
  readonly guestLimit?: GuestLimitOptions
  /**
   * The only session key by which sessions are indexed.
   * @default the keys of the guards on routes, and `identity`
   */
  readonly identityKey?: string
  /** Epoch seconds; for tests. */
  readonly clock?: () => number
  /** Reports failures that do not affect the response. */
  readonly throwables?: Throwables
}

/** A live session of an account, for a page that lists them. */
export interface SessionSummary {
  /** The argument of `end`. It is not a secret: nobody can sign in with it. */
  readonly handle: string
  /** Handle of the trusted device that created or revived it; null for none. */
  readonly device: string | null
  /** The `User-Agent` header of its browser. */
  readonly agent: string
  /** The address it was last used from. */
  readonly peer: string
  /** Epoch seconds. */
  readonly created: number
  /** When it was last used, to the minute; epoch seconds. */
  readonly used: number
  /** Whether it is the session passed as `current`. */
  readonly current: boolean
}

/** Reads renew a session only once a minute, so a shorter one could expire while in use. */
const minSeconds = 120

/** How long a navigation that lost a race waits, so that the winner's cookies arrive first. */
const settleMs = 500

/** Sessions added by one process between two sweeps. */
const sweepInterval = 1000

/**
 * Gives each request its `session` and saves it before the response is sent. The session of a guest is
 * in its cookie, any other in the store, with its id in the cookie; the cookie is sent only when it
 * changes, once per response. The same object lists, ends and sweeps sessions.
 */
export class Sessions implements MiddlewareObject, SessionOpener {
  readonly phase: MiddlewarePhase = Phases.Session
  /** The session keys that hold the account. Guards add theirs when the server starts. */
  readonly identityKeys: IdentityKeys
  /** Shared by all sessions of this object. */
  readonly settings: SessionSettings
  readonly #cookie: SessionCookie
  readonly #guestRule: RateRule
  /** That of the rate limits of the server; without one, each process counts for itself. */
  #guestCounts: RateLimitStore | null = null
  #added = 0

  /** @throws InvalidArgumentException for invalid options, such as weaker cookie flags. */
  constructor(store: SessionStore, options: SessionsOptions = {}) {
    const { idle = 7200, lifetime = 86_400 } = options
    const { clock = epochSeconds, throwables = Throwables } = options
    this.identityKeys = new IdentityKeys(options.identityKey)
    this.#cookie = new SessionCookie(options)
    const { limit = 100, window = 600 } = options.guestLimit ?? {}
    this.#guestRule = { limit, window, algorithm: RateAlgorithms.Fixed }
    this.settings = {
      store,
      guests: guestCookies(options),
      idle: checkedSeconds('idle', idle),
      lifetime: checkedSeconds('lifetime', lifetime),
      identityKeys: this.identityKeys,
      clock,
      report: (failure) => throwables.notify(failure),
      admit: (peer) => this.#admitGuest(peer),
      // The first session a process adds, and every thousandth after it, triggers a sweep.
      added: () => {
        if (this.#added % sweepInterval === 0) this.sweep().catch(this.settings.report)
        this.#added += 1
      },
    }
  }

  attach({ rateLimits }: Pick<ServerHost, 'rateLimits'>): void {
    this.#guestCounts = rateLimits
  }

  process(request: Request, _response: Response, next: Next): Response | Promise<Response> {
    // If they are nested, the outermost keeps the session.
    if (request.sessions !== null) return next()
    request.sessions = this
    return mapResponse(next(), (response) => {
      const session = request.openedSession
      const saving = session?.commit() ?? null
      if (session === null || saving === null) return response
      return saving.then(() => (session.lostRace ? yieldToWinner(request, response) : response))
    })
  }

  // As late as possible: a failure before this resets the response, and the old id is already gone.
  finish(request: Request, response: Response): void {
    const session = request.openedSession
    if (session === null || request.sessions !== this) return
    response.vary('Cookie')
    if (session.issued === null) return
    sendCookie(response, this.#cookie.line(session.issued))
    const former = this.#cookie.formerLine(request.cookies)
    if (former !== null) sendCookie(response, former)
  }

  /** Name of the cookie. */
  get cookieName(): string {
    return this.#cookie.name
  }

  /** The session of a request, not read yet. Called by `request.session`. */
  open(request: Request<unknown>): Session {
    const presented = this.#cookie.presented(request.cookies)
    return new Session(new SessionKeeper(presented, request, this.settings))
  }

  /**
   * The live sessions of an identity, most recently used first. A sign-in that waits for a factor is none,
   * although it ends with them.
   */
  async list(
    identity: string,
    { current }: { readonly current?: Session } = {},
  ): Promise<readonly SessionSummary[]> {
    const { store, idle, lifetime, clock } = this.settings
    const listed = await askStore(() => store.list(identity))
    const now = Math.floor(clock())
    return listed
      .filter(({ data }) => !holdsPending(data))
      .filter(({ used, created }) => used + idle > now && created + lifetime > now)
      .sort((one, other) => other.used - one.used || other.created - one.created)
      .map((session) => summaryOf(session, current?.digest ?? null))
  }

  /** Ends the session of an identity with this handle; false if there is none. */
  async end(identity: string, handle: string): Promise<boolean> {
    const { store } = this.settings
    const digest = await this.digestOf(identity, handle)
    return digest !== null && askStore(() => store.destroy(digest))
  }

  /** Digest of the session of an identity with this handle; null if there is none. */
  async digestOf(identity: string, handle: string): Promise<string | null> {
    const { store } = this.settings
    const listed = await askStore(() => store.list(identity))
    return listed.find(({ digest }) => sessionHandle(digest) === handle)?.digest ?? null
  }

  /**
   * Ends the sessions that a trusted device created or revived, even those that are being given a new
   * id, and returns how many. `handle` is that of the device.
   */
  async endDevice(identity: string, handle: string): Promise<number> {
    const { store } = this.settings
    return askStore(() => store.destroyDevice(identity, handle))
  }

  /** Ends every session of an identity, except `except`, and returns how many. */
  async revoke(identity: string, { except }: { readonly except?: Session } = {}): Promise<number> {
    const { store } = this.settings
    return askStore(() => store.destroyOf(identity, except?.digest ?? null))
  }

  /** Deletes expired sessions from the store and returns how many. */
  async sweep(): Promise<number> {
    const { store, clock } = this.settings
    return askStore(() => store.sweep(Math.floor(clock())))
  }

  /** So that nobody can fill the store. @throws HttpError 429 if the network of this address has added too many. */
  async #admitGuest(peer: string): Promise<void> {
    this.#guestCounts ??= new MemoryRateLimits()
    const now = this.settings.clock()
    const digest = hash('sha256', `guest sessions ${networkOf(peer)}`, 'hex')
    const { allowed, retry } = await this.#guestCounts.hit(digest, this.#guestRule, now)
    if (allowed) return
    throw new HttpError(429, 'too many new sessions for guests of this network', {
      headers: { 'Retry-After': String(Math.max(1, Math.ceil(retry - now))) },
    })
  }
}

// The winner's response has the valid cookies; this one may arrive later and must not replace them.
async function yieldToWinner(request: Request, response: Response): Promise<Response> {
  response.headers.delete('Set-Cookie')
  // The browser should have them before it follows the redirect of this response.
  if (isNavigation(request)) await sleep(settleMs)
  return response
}

function guestCookies({ key, guests }: SessionsOptions): GuestCookies | null {
  if (guests === 'store') return null
  if (key !== undefined) return new GuestCookies(key)
  if (guests === undefined) return null
  throw invalidArgument(
    "guests: 'cookie' of Sessions needs a key to encrypt with; pass applicationKey(configs.key, boot) as its key",
  )
}

function summaryOf(
  { digest, device, agent, peer, created, used }: ListedSession,
  current: string | null,
): SessionSummary {
  const handle = sessionHandle(digest)
  return { handle, device, agent, peer, created, used, current: digest === current }
}

function checkedSeconds(name: string, seconds: number): number {
  if (Number.isSafeInteger(seconds) && seconds >= minSeconds) return seconds
  throw invalidArgument(
    `${name} of Sessions must be a whole number of seconds, at least ${minSeconds}, got ${seconds}`,
  )
}
