import { setTimeout as sleep } from 'node:timers/promises'
import { AuthEvents, emitAuthEvent } from '../../app/security/accounts/auth-events.ts'
import type { AuthEvent } from '../../app/security/accounts/auth-events.ts'
import { deviceHandle } from '../../app/security/tokens/device.ts'
import { Theft } from '../../app/security/tokens/theft.ts'
import { readTokenText } from '../../app/security/tokens/token-text.ts'
import type { Token } from '../../app/security/tokens/token.ts'
import type { Trust } from '../../app/security/tokens/trust.ts'
import { InvalidArgumentException } from '../../base/errors.ts'
import { Emitter } from '../../services/events/emitter.ts'
import type { Request, RequestIdentity } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { Middleware } from '../router/middleware.ts'
import { replaceCookie, saysCookie, sendCookie } from '../response/set-cookie.ts'
import { SessionKeys } from '../session/session-keys.ts'
import { AccountSessions } from './account-sessions.ts'
import type { SessionRevoker } from './account-sessions.ts'
import { isNavigation, isSpeculative } from '../request/fetch-intent.ts'
import type { Guard } from './guard.ts'
import { checkedPolicy, rememberLine, rememberPolicy } from './remember-policy.ts'
import type { RememberPolicy } from './remember-policy.ts'
import type { LoadIdentity } from './request-identity.ts'

/** How the guard works. Times are seconds. */
export interface RememberOptions {
  /**
   * Key of the session that says who is signed in; the list of an account's sessions follows it.
   * @default 'identity'
   */
  readonly key?: string
  /** What a refusal says is protected, `Protected area` unless given. */
  readonly realm?: string
  /**
   * How long a token that was just used up is no sign of theft, for navigations of a browser only:
   * tabs that it restores come together with the same cookie. 0 unless given; `AUTH_REMEMBER_GRACE`.
   */
  readonly grace?: number
  /** How long a navigation that lost such a race waits for the cookies of the winner, 1 unless given. */
  readonly settle?: number
  /** The cookie of this guard, in place of `Remember.policy`. */
  readonly policy?: RememberPolicy
  /**
   * Ends the sessions of the account whose token was stolen, besides the `Sessions` around the route.
   * @default the `Sessions` around the route alone
   */
  readonly sessions?: SessionRevoker
  /** Loads the account; a device of one that is gone is forgotten. */
  readonly load?: LoadIdentity
  /** Hears of revivals and thefts; the shared one unless given. */
  readonly emitter?: Emitter
  /** Epoch seconds, in place of the time of day. */
  readonly clock?: () => number
}

/**
 * Signs in by the cookie of a trusted device. Each use gives the device another token, so that a copy
 * of the cookie shows itself: then all devices and sessions of the account end. It stands on a route, in
 * `Authentication`, or is asked by the handler of a page that guests may see too.
 */
export class Remember implements Guard {
  static #sharedPolicy: RememberPolicy = rememberPolicy()

  /** Key of the session that says who is signed in. */
  readonly key: string
  readonly realm: string
  readonly #trust: Trust
  readonly #options: Required<Pick<RememberOptions, 'grace' | 'settle' | 'emitter' | 'clock'>>
  readonly #policy: RememberPolicy | null
  readonly #sessions: AccountSessions
  readonly #load: LoadIdentity | null
  /** What became of the cookie of a request, which its answer must say even if it is an error. */
  readonly #lines = new WeakMap<object, string>()
  /** Who was found: a request is asked about once, because its token is used up then. */
  readonly #asked = new WeakMap<Request, Promise<RequestIdentity | null>>()

  /** @throws InvalidArgumentException for a policy or times that cannot be. */
  constructor(trust: Trust, options: RememberOptions = {}) {
    const { key = 'identity', realm = 'Protected area', policy, sessions, load } = options
    const { emitter = Emitter.Instance, clock = () => Date.now() / 1000 } = options
    this.key = key
    this.realm = realm
    this.#trust = trust
    this.#options = {
      grace: checkedSeconds('grace', options.grace ?? 0),
      settle: checkedSeconds('settle', options.settle ?? 1),
      emitter,
      clock,
    }
    this.#policy = policy === undefined ? null : checkedPolicy(policy)
    this.#sessions = new AccountSessions(key, sessions)
    this.#load = load ?? null
  }

  /** The cookie of all guards that have none of their own. It is frozen and replaced whole, at boot. */
  static get policy(): RememberPolicy {
    return Remember.#sharedPolicy
  }

  /** @throws InvalidArgumentException for a weaker one. */
  static set policy(policy: RememberPolicy) {
    Remember.#sharedPolicy = checkedPolicy(policy)
  }

  /** Seconds without a visit after which a device is forgotten. */
  static get lifetime(): number {
    return Remember.#sharedPolicy.lifetime
  }

  /** The cookie of this guard. */
  get policy(): RememberPolicy {
    return this.#policy ?? Remember.#sharedPolicy
  }

  /** @throws ConfigurationError unless it can end the sessions of an account whose token was stolen. */
  join(outer: readonly Middleware[]): void {
    this.#sessions.join(outer)
  }

  async authenticate(request: Request, response: Response): Promise<boolean> {
    const presented = request.cookies.get(this.policy.name)
    if (presented === undefined || isSpeculative(request)) return false
    const asked = this.#asked.get(request) ?? this.#identify(request, response, presented)
    this.#asked.set(request, asked)
    const identity = await asked
    // Whoever has signed out since is a guest.
    return identity !== null && request.identity === identity
  }

  /**
   * Whether there is a cookie that was not looked at. A browser drops a page that it fetched ahead, the
   * next token with it, when it changes its mind; the token that it then comes with would look stolen.
   */
  defers(request: Request): boolean {
    return isSpeculative(request) && request.cookies.has(this.policy.name)
  }

  /** Sends the cookie of a token, in place of what the answer says of it so far. */
  emit(token: Token, response: Response): void {
    const line = rememberLine(this.policy, token.value, this.policy.lifetime)
    this.#lines.delete(response.request ?? response)
    replaceCookie(response, this.policy.name, line)
  }

  /** Takes the cookie away, in place of what the answer says of it so far. */
  forget(response: Response): void {
    const line = rememberLine(this.policy, '', 0)
    this.#lines.delete(response.request ?? response)
    replaceCookie(response, this.policy.name, line)
  }

  async #identify(
    request: Request,
    response: Response,
    presented: string,
  ): Promise<RequestIdentity | null> {
    const endSessions = this.#sessions.revoker(request)
    const outcome = await this.#trust.rotate(presented, this.policy.lifetime, {
      // Scripts can wait for one another; only tabs come together without knowing of each other.
      grace: isNavigation(request) ? this.#options.grace : 0,
      agent: request.header('user-agent') ?? '',
      peer: request.peer,
      beforeTheft: endSessions,
    })
    if (outcome instanceof Theft) {
      this.#tellTheft(request, response, outcome)
      // Again: a device may have brought back a session before it was dropped.
      await endSessions(outcome.user)
    } else if (outcome === null) await this.#yieldToWinner(request, presented)
    else return this.#revive(request, response, outcome)
    return null
  }

  async #revive(
    request: Request,
    response: Response,
    token: Token,
  ): Promise<RequestIdentity | null> {
    const { user, selector } = token
    const line = rememberLine(this.policy, token.value, this.policy.lifetime)
    this.#say(request, response, line)
    const identity = this.#load === null ? Object.freeze({ id: user }) : await this.#load(user)
    if (identity === null) {
      await this.#trust.forget(token.value)
      this.forget(response)
      return null
    }
    const { session } = request
    session.regenerate()
    session.delete(SessionKeys.Pending)
    session.set(this.key, user)
    session.set(SessionKeys.Device, deviceHandle(selector))
    session.confirmAfterSave(async () => {
      // Somebody has signed in or out since, and that counts.
      if (this.#lines.get(request) !== line) return true
      if (!(await this.#trust.isLive(selector))) return false
      this.#emit(AuthEvents.Revived, request, user, this.#options.clock())
      return true
    })
    request.identity = identity
    return identity
  }

  #tellTheft(request: Request, response: Response, { user, at }: Theft): void {
    this.#say(request, response, rememberLine(this.policy, '', 0))
    this.#emit(AuthEvents.Theft, request, user, at)
  }

  // Whoever presents a used-up token of a device that is well has lost a race: the winner's answer has
  // the cookies that count, and nothing that this one writes may arrive after them. Any other token is
  // worth nothing. Its cookie stays, all the same: the database may have failed, and a sign-in that
  // runs meanwhile may be about to replace it.
  async #yieldToWinner(request: Request, presented: string): Promise<void> {
    const selector = readTokenText(presented)?.selector
    if (selector === undefined || !(await this.#trust.isLive(selector))) return
    request.session.discardWrites()
    // Where it is sent next the browser should have those cookies already.
    if (isNavigation(request)) await sleep(this.#options.settle * 1000)
  }

  // An answer that was emptied by an error must still tell the browser: its token is used up, and to
  // come with it again would look like theft.
  #say(request: Request, response: Response, line: string): void {
    const { name } = this.policy
    this.#lines.set(request, line)
    replaceCookie(response, name, line)
    request.beforeHead((headers) => {
      const said = this.#lines.get(request)
      if (said !== undefined && !saysCookie({ headers }, name)) sendCookie({ headers }, said)
    })
  }

  #emit(event: AuthEvent, request: Request, user: string, at: number): void {
    emitAuthEvent(this.#options.emitter, event, request, { user, at })
  }
}

function checkedSeconds(name: string, seconds: number): number {
  if (Number.isFinite(seconds) && seconds >= 0) return seconds
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${name} of Remember is a number of seconds from 0 on, got ${seconds}`,
  )
}
