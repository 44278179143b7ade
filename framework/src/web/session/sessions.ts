import { setTimeout as sleep } from 'node:timers/promises'
import { Throwables } from '../../base/throwables/throwables.ts'
import { InvalidArgumentException } from '../../base/errors.ts'
import { isNavigation } from '../request/fetch-intent.ts'
import type { Request, SessionOpener } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { mapResponse } from '../router/map-response.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'
import { sendCookie } from '../response/set-cookie.ts'
import { SessionCookie } from './session-cookie.ts'
import type { SessionCookieOptions } from './session-cookie.ts'
import { IdentityKeys } from './identity-keys.ts'
import { sessionHandle } from './session-id.ts'
import { SessionKeeper } from './session-keeper.ts'
import type { SessionSettings } from './session-keeper.ts'
import type { ListedSession, SessionStore } from './session-store.ts'
import { Session } from './session.ts'
import { storeAnswer } from './store-answer.ts'

/** How sessions are kept. Times are seconds. */
export interface SessionsOptions extends SessionCookieOptions {
  /** Longest time between two uses, 7200 unless given, at least 120. */
  readonly idle?: number
  /** Longest life of one id, 86400 unless given, at least 120. */
  readonly lifetime?: number
  /**
   * The only key whose value says whose session it is.
   * @default the keys of the guards that stand on routes, and `identity`
   */
  readonly identityKey?: string
  /** Epoch seconds, in place of the time of day. */
  readonly clock?: () => number
  /** Hears of failures that cost no answer. */
  readonly throwables?: Throwables
}

/** A live session of somebody, for a page that lists them. */
export interface SessionSummary {
  /** What `end` takes. It is no secret: nobody can sign in with it. */
  readonly handle: string
  /** Handle of the trusted device that made it or brought it back; null for none. */
  readonly device: string | null
  /** The browser, as it named itself. */
  readonly agent: string
  /** The address it was used from last. */
  readonly peer: string
  /** Epoch seconds. */
  readonly created: number
  /** When it was used last, to the minute; epoch seconds. */
  readonly used: number
  /** Whether it is the one that was given as `current`. */
  readonly current: boolean
}

/** Reads renew a session once a minute, so that a shorter one could end under its reader's hands. */
const shortest = 120

/** How long a navigation that lost a race waits for the cookies of the winner. */
const settleMs = 500

/** Added sessions between two sweeps of one process. */
const sweepInterval = 1000

/**
 * Gives each request its `session`, and saves it before the answer goes out. The cookie is sent only
 * with a new id, once per answer. The same object lists, ends and sweeps sessions.
 */
export class Sessions implements MiddlewareObject, SessionOpener {
  /** Where sessions say whose they are. Guards add their keys when the server starts. */
  readonly identityKeys: IdentityKeys
  /** What all sessions of this object share. */
  readonly settings: SessionSettings
  readonly #cookie: SessionCookie
  #added = 0

  /** @throws InvalidArgumentException for options that cannot be, such as weaker flags of the cookie. */
  constructor(store: SessionStore, options: SessionsOptions = {}) {
    const { idle = 7200, lifetime = 86_400 } = options
    const { clock = () => Date.now() / 1000, throwables = Throwables } = options
    this.identityKeys = new IdentityKeys(options.identityKey)
    this.#cookie = new SessionCookie(options)
    this.settings = {
      store,
      idle: checkedSeconds('idle', idle),
      lifetime: checkedSeconds('lifetime', lifetime),
      identityKeys: this.identityKeys,
      clock,
      report: (failure) => throwables.notify(failure),
      added: () => this.#countAdded(),
    }
  }

  process(request: Request, _response: Response, next: Next): Response | Promise<Response> {
    // Where there are several on the way, the outermost keeps the session for all of them.
    if (request.sessions !== null) return next()
    request.sessions = this
    return mapResponse(next(), (response) => {
      const session = request.openedSession
      const saving = session?.commit() ?? null
      if (session === null || saving === null) return response
      return saving.then(() => (session.lostRace ? yieldToWinner(request, response) : response))
    })
  }

  // Here and not sooner: what fails later empties the response, and the old id is gone already.
  finish(request: Request, response: Response): void {
    const session = request.openedSession
    if (session === null || request.sessions !== this) return
    response.vary('Cookie')
    if (session.issued !== null) sendCookie(response, this.#cookie.line(session.issued))
  }

  /** Name of the cookie that carries the id. */
  get cookieName(): string {
    return this.#cookie.name
  }

  /** The session of a request, unread. `request.session` calls it. */
  open(request: Request<unknown>): Session {
    const id = request.cookies.get(this.#cookie.name)
    return new Session(new SessionKeeper(id, request, this.settings))
  }

  /** The live sessions of an identity, the one used last first. */
  async list(
    identity: string,
    { current }: { readonly current?: Session } = {},
  ): Promise<readonly SessionSummary[]> {
    const { store, idle, lifetime, clock } = this.settings
    const listed = await storeAnswer(() => store.list(identity))
    const now = Math.floor(clock())
    return listed
      .filter(({ used, created }) => used + idle > now && created + lifetime > now)
      .sort((one, other) => other.used - one.used || other.created - one.created)
      .map((session) => summaryOf(session, current?.digest ?? null))
  }

  /** Ends the session of an identity that has this handle; false when it has none such. */
  async end(identity: string, handle: string): Promise<boolean> {
    const { store } = this.settings
    const listed = await storeAnswer(() => store.list(identity))
    const found = listed.find(({ digest }) => sessionHandle(digest) === handle)
    return found !== undefined && storeAnswer(() => store.destroy(found.digest))
  }

  /**
   * Ends the sessions that a trusted device has made or brought back, also one that gets another id
   * meanwhile; the number of them. The handle is that of the device.
   */
  async endDevice(identity: string, handle: string): Promise<number> {
    const { store } = this.settings
    return storeAnswer(() => store.destroyDevice(identity, handle))
  }

  /** Ends every session of an identity, but the one given as `except`; the number of them. */
  async revoke(identity: string, { except }: { readonly except?: Session } = {}): Promise<number> {
    const { store } = this.settings
    return storeAnswer(() => store.destroyOf(identity, except?.digest ?? null))
  }

  /** Drops the sessions that are over from the store; the number of them. */
  async sweep(): Promise<number> {
    const { store, clock } = this.settings
    return storeAnswer(() => store.sweep(Math.floor(clock())))
  }

  // The first one a process adds, and each thousandth after it, pays for those that were left behind.
  #countAdded(): void {
    if (this.#added % sweepInterval === 0) this.sweep().catch(this.settings.report)
    this.#added += 1
  }
}

// The answer of the request that was first has the cookies that count: none of this one, which may
// arrive later, must take their place.
async function yieldToWinner(request: Request, response: Response): Promise<Response> {
  response.headers.delete('Set-Cookie')
  // Where it is sent next the browser should have them already.
  if (isNavigation(request)) await sleep(settleMs)
  return response
}

function summaryOf(
  { digest, device, agent, peer, created, used }: ListedSession,
  current: string | null,
): SessionSummary {
  const handle = sessionHandle(digest)
  return { handle, device, agent, peer, created, used, current: digest === current }
}

function checkedSeconds(name: string, seconds: number): number {
  if (Number.isSafeInteger(seconds) && seconds >= shortest) return seconds
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${name} of sessions is a whole number of seconds, ${shortest} or more, got ${seconds}`,
  )
}
