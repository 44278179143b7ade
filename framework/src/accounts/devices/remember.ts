import { setTimeout as sleep } from 'node:timers/promises'
import { AuthEvents, emitAuthEvent, entryOrigin } from '../auth-events.ts'
import type { AuthEvent } from '../auth-events.ts'
import { deviceHandle, Theft } from './trust.ts'
import { checkedSeconds, readTokenText } from '../tokens/token.ts'
import type { Token } from '../tokens/token.ts'
import type { Trust } from './trust.ts'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import type { Transaction } from '../../database/surface.ts'
import { Emitter } from '../../events/emitter.ts'
import type { RequestIdentity, Request } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import type { Middleware } from '../../http/router/middleware.ts'
import { replaceCookie, sendCookie, setsCookie } from '../../http/response/set-cookie.ts'
import { deviceOf, identityOf } from '../../http/session/identity-keys.ts'
import { SessionKeys } from '../../http/session/session-keys.ts'
import { claimedSessions, claimSessions } from './account-sessions.ts'
import { isNavigation, isSpeculative } from '../../http/request/fetch-intent.ts'
import { checkedPolicy, formerLine, rememberLine, rememberPolicy } from './remember-policy.ts'
import type { RememberPolicy } from './remember-policy.ts'
import { loadActive } from '../guards/guard.ts'
import type { Guard, LoadIdentity } from '../guards/guard.ts'
import type { AccountLane } from '../../http/rate-limits/account-limit.ts'
import { normalEmail } from '../email-address.ts'
import { SignInGate } from '../sign-in/sign-in-gate.ts'

/** Options of `Remember`. Times are seconds. */
export interface RememberOptions {
  /** Session key of the signed-in account. Sessions are indexed by it. @default 'identity' */
  readonly key?: string
  /** The realm in the `WWW-Authenticate` header of a 401. @default 'Protected area' */
  readonly realm?: string
  /**
   * How long the previous token is tolerated instead of being treated as stolen. For navigations only:
   * restored tabs send the same cookie at the same time. Projects set it with `AUTH_REMEMBER_GRACE`.
   * @default 0
   */
  readonly grace?: number
  /**
   * How long a navigation that lost such a race waits, so that the winner's cookies arrive first.
   * @default 1
   */
  readonly settle?: number
  /** The cookie of this guard. @default Remember.policy */
  readonly policy?: RememberPolicy
  /** Loads the account. If the account no longer exists, the device is forgotten. */
  readonly load?: LoadIdentity
  /**
   * What every sign-in passes, also those of `SignIn`.
   * @default new SignInGate(), which knows no factors
   */
  readonly gate?: SignInGate
  /** Receives `AuthEvents.Revived` and `AuthEvents.Theft`. @default Emitter.Instance */
  readonly emitter?: Emitter
  /** Epoch seconds; for tests. */
  readonly clock?: () => number
}

/** A trusted device of an account. */
export interface RememberedDevice {
  /** Id of the account. */
  readonly user: string
  readonly handle: string
}

/**
 * Signs in by the cookie of a trusted device. Each use replaces the device's token, so a stolen copy is
 * noticed when the old token comes back: then all devices and sessions of the account end. Use it in
 * `Authentication`, or call it in the handler of a page that guests may see too.
 */
export class Remember implements Guard {
  static #sharedPolicy: RememberPolicy = rememberPolicy()

  /** Session key of the signed-in account. */
  readonly key: string
  readonly realm: string
  /** What every sign-in passes. */
  readonly gate: SignInGate
  readonly #trust: Trust
  readonly #options: Required<Pick<RememberOptions, 'grace' | 'settle' | 'emitter' | 'clock'>>
  readonly #policy: RememberPolicy | null
  readonly #load: LoadIdentity | null
  /** The `Set-Cookie` line of a request, which must be sent even with an error response. */
  readonly #lines = new WeakMap<object, string>()
  /** The result per request: looking twice would present a token that is already used up. */
  readonly #results = new WeakMap<Request, Promise<RequestIdentity | null>>()

  /** @throws InvalidArgumentException for an invalid policy or time. */
  constructor(trust: Trust, options: RememberOptions = {}) {
    const { key = 'identity', realm = 'Protected area', policy, load } = options
    const { emitter = Emitter.Instance, clock = epochSeconds } = options
    this.key = key
    this.realm = realm
    this.gate = options.gate ?? new SignInGate()
    this.#trust = trust
    this.#options = {
      grace: checkedSeconds(options.grace ?? 0, 'grace of Remember'),
      settle: checkedSeconds(options.settle ?? 1, 'settle of Remember'),
      emitter,
      clock,
    }
    this.#policy = policy === undefined ? null : checkedPolicy(policy)
    this.#load = load ?? null
  }

  /** The cookie policy of all guards without their own. It is frozen; replace it as a whole at boot. */
  static get policy(): RememberPolicy {
    return Remember.#sharedPolicy
  }

  /** @throws InvalidArgumentException for an invalid policy or weaker flags. */
  static set policy(policy: RememberPolicy) {
    Remember.#sharedPolicy = checkedPolicy(policy)
  }

  /** Seconds without a visit after which a device is forgotten. */
  static get lifetime(): number {
    return Remember.#sharedPolicy.lifetime
  }

  /** The cookie policy of this guard. */
  get policy(): RememberPolicy {
    return this.#policy ?? Remember.#sharedPolicy
  }

  /** @throws ConfigurationError if it could not end the sessions of an account whose token is stolen. */
  join(outer: readonly Middleware[]): void {
    claimSessions(outer, this.key)
  }

  async authenticate(request: Request, response: Response): Promise<boolean> {
    const presented = this.presented(request)
    if (presented === undefined || isSpeculative(request)) return false
    // The device alone does not sign in, and has begun to: using it again would begin anew.
    if (!this.gate.trustsDevices && (await this.gate.pending(request)) !== null) return false
    const result = this.#results.get(request) ?? this.#identify(request, response, presented)
    this.#results.set(request, result)
    const identity = await result
    // The handler may have signed the user out since.
    return identity !== null && request.identity === identity
  }

  /**
   * Whether a prefetch carries the cookie. It is not used then: a browser may discard a prefetched
   * response together with the next token, and the old token would later look stolen.
   */
  defers(request: Request): boolean {
    return isSpeculative(request) && this.presented(request) !== undefined
  }

  /**
   * The token that a request presents. If there is none under the cookie's name, that of its former
   * name counts too: it is replaced with the next one.
   */
  presented({ cookies }: Request): string | undefined {
    const { name, former = name } = this.policy
    return cookies.get(name) ?? cookies.get(former)
  }

  /**
   * The device of this browser: the one that its session was signed in by, or the one of its cookie,
   * which is not used up. Null if there is none.
   */
  async device(request: Request): Promise<RememberedDevice | null> {
    const { session } = request
    const user = identityOf(await session.get(this.key))
    const handle = deviceOf(await session.get(SessionKeys.Device))
    if (user !== null && handle !== null) return { user, handle }
    const presented = this.presented(request) ?? ''
    const selector = presented === '' ? undefined : readTokenText(presented)?.selector
    if (selector === undefined) return null
    const owner = await this.#trust.owner(presented)
    return owner === null ? null : { user: owner, handle: deviceHandle(selector) }
  }

  /** Sends the cookie of a token, replacing a remember cookie that the response already sets. */
  emit(token: Token, response: Response): void {
    const line = rememberLine(this.policy, token.value, this.policy.lifetime)
    this.#lines.delete(response.request ?? response)
    this.#replaceCookie(response, line)
  }

  /** Deletes the cookie, replacing a remember cookie that the response already sets. */
  forget(response: Response): void {
    const line = rememberLine(this.policy, '', 0)
    this.#lines.delete(response.request ?? response)
    this.#replaceCookie(response, line)
  }

  #replaceCookie(response: Response, line: string): void {
    replaceCookie(response, this.policy.name, line)
    this.#deleteFormer(response.request, response)
  }

  #deleteFormer(request: Request | null, head: Pick<Response, 'headers'>): void {
    const line = formerLine(this.policy, request?.cookies)
    if (line !== null) sendCookie(head, line)
  }

  async #identify(
    request: Request,
    response: Response,
    presented: string,
  ): Promise<RequestIdentity | null> {
    const sessions = claimedSessions(request, this.key)
    const { activity } = this.gate
    const outcome = await this.#trust.rotate(presented, this.policy.lifetime, {
      // Scripts can avoid sending the same cookie twice at once; restored tabs cannot.
      grace: isNavigation(request) ? this.#options.grace : 0,
      agent: request.header('user-agent') ?? '',
      peer: request.peer,
      beforeTheft: (user) => sessions.revoke(user),
      ...(activity !== null && {
        alongsideTheft: (transaction: Transaction, { user }: Theft) =>
          activity.within(transaction).record({ user, event: 'Theft', ...entryOrigin(request) }),
      }),
    })
    if (outcome instanceof Theft) {
      const { user, at } = outcome
      this.#setLine(request, response, rememberLine(this.policy, '', 0))
      this.#emit(AuthEvents.Theft, request, user, at)
      // Again: a device may have revived a session before it was dropped.
      await sessions.revoke(user)
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
    this.#setLine(request, response, line)
    const identity =
      this.#load === null ? Object.freeze({ id: user }) : await loadActive(this.#load, user)
    if (identity === null) {
      await this.#trust.forget(token.value)
      this.forget(response)
      return null
    }
    const { session } = request
    const result = await this.gate.pass(request, identity, {
      key: this.key,
      way: 'device',
      isTrusted: () => true,
      proven: null,
      // If a factor is asked for, the browser stays a device afterwards.
      remember: true,
    })
    session.set(SessionKeys.Device, deviceHandle(selector))
    session.confirmAfterSave(async () => {
      // The handler has signed somebody in or out since, which takes precedence.
      if (this.#lines.get(request) !== line) return true
      if (!(await this.#trust.isLive(selector))) return false
      if (result === 'pending') return true
      const entry = { user, event: 'Revived', method: 'device', ...entryOrigin(request) } as const
      await this.gate.activity?.record(entry)
      this.#emit(AuthEvents.Revived, request, user, this.#options.clock())
      return true
    })
    return result === 'complete' ? identity : null
  }

  // A used-up token of a live device lost a race: the winner's response has the current cookies, and
  // nothing this request writes may arrive after them. Any other token is worthless, but its cookie is
  // not deleted: the database may have failed, or a concurrent sign-in may be about to replace it.
  async #yieldToWinner(request: Request, presented: string): Promise<void> {
    const selector = readTokenText(presented)?.selector
    if (selector === undefined || !(await this.#trust.isLive(selector))) return
    request.session.discardWrites()
    // The browser should have those cookies before it follows the redirect of this response.
    if (isNavigation(request)) await sleep(this.#options.settle * 1000)
  }

  // The cookie must reach the browser even if an error resets the response: the old token is used up,
  // and presenting it again would look like theft.
  #setLine(request: Request, response: Response, line: string): void {
    const { name } = this.policy
    this.#lines.set(request, line)
    this.#replaceCookie(response, line)
    request.beforeHead((headers) => {
      const pending = this.#lines.get(request)
      if (pending === undefined || setsCookie({ headers }, name)) return
      sendCookie({ headers }, pending)
      this.#deleteFormer(request, { headers })
    })
  }

  #emit(event: AuthEvent, request: Request, user: string, at: number): void {
    emitAuthEvent(this.#options.emitter, event, request, { user, at })
  }
}

/**
 * A lane of an `AccountLimit` for each trusted device of the account, so that strangers who try its
 * password or codes never make the owner wait. Accounts are named by e-mail or id; `load` finds the one of
 * a device: `deviceLane(remember, (id) => users.find(id))`.
 */
export function deviceLane(remember: Remember, load: LoadIdentity): AccountLane {
  return async (request, account) => {
    const device = await remember.device(request)
    if (device === null) return null
    if (account === device.user) return device.handle
    const owner = await load(device.user)
    const isOwn = owner?.email !== undefined && normalEmail(account) === normalEmail(owner.email)
    return isOwn ? device.handle : null
  }
}
