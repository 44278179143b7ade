import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import { credentialsVersion, isSuspended } from '../identity.ts'
import { AuthEvents, emitAuthEvent, entryOrigin } from '../auth-events.ts'
import type { AuthEvent, AuthEventName, AuthEventPayload } from '../auth-events.ts'
import { deviceHandle } from '../devices/trust.ts'
import type { Identity } from '../identity.ts'
import type { Factor } from '../factors/factor.ts'
import type { Token } from '../tokens/token.ts'
import type { Trust } from '../devices/trust.ts'
import { Emitter } from '../../events/emitter.ts'
import type { Request } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import { deviceOf, identityOf } from '../../http/session/identity-keys.ts'
import { SessionKeys } from '../../http/session/session-keys.ts'
import { takeIntended } from '../guards/intended.ts'
import type { PendingSignIn, GateEntry, GateResult } from './sign-in-gate.ts'
import type { Remember } from '../devices/remember.ts'
import type { Users } from '../users.ts'

/** Options of `SignIn`. */
export interface SignInOptions {
  /** A `Users`: checks whether password and factors are still those that were read. */
  readonly users: Pick<Users, 'isUnchanged' | 'find'>
  readonly trust: Trust
  /** The guard whose cookie is sent, whose session key holds the account and whose gate is passed. */
  readonly remember: Remember
  /** Receives the `AuthEvents`. @default Emitter.Instance */
  readonly emitter?: Emitter
  /**
   * Turns the e-mail of a refused sign-in into a digest for the security log: `accountDigest(key)`.
   * @default no digest
   */
  readonly digest?: (email: string) => string
  /** Epoch seconds; for tests. */
  readonly clock?: () => number
}

/** Options of `SignIn.enter`. */
export interface EnterOptions {
  /** Whether this browser becomes a trusted device. @default false */
  readonly remember?: boolean
  /** Which event is emitted. @default 'login' */
  readonly as?: 'login' | 'registered'
  /**
   * How the visitor came in: `password`, `mail`, `passkey`, … It is shown to the owner.
   * @default 'password', or 'registration' as `registered`
   */
  readonly way?: string
  /**
   * Name of the factor that was proven on the way, so that none is asked for: a passkey that has
   * verified its user.
   * @default none
   */
  readonly proven?: string
  /**
   * Asked after the session is stored: whether what was proven still holds. If a passkey was removed in the
   * meantime, for example, the sign-in is undone, since the removal could not end it yet.
   * @default true
   */
  readonly holds?: () => Promise<boolean>
}

/**
 * Does all that signing up, in and out changes: session, remember cookie and events. Each change of
 * user gives the session a new id, so an id planted by an attacker is never signed in.
 */
export class SignIn {
  readonly #users: SignInOptions['users']
  readonly #trust: Trust
  readonly #remember: Remember
  readonly #options: SignInOptions & { readonly emitter: Emitter }

  constructor(options: SignInOptions) {
    this.#users = options.users
    this.#trust = options.trust
    this.#remember = options.remember
    this.#options = { ...options, emitter: options.emitter ?? Emitter.Instance }
  }

  /**
   * Signs in an identity returned by `users`: gives the session a new id, stores the account in it and,
   * with `remember`, makes this browser a trusted device. Returns `pending` if the account has a factor
   * that must be proven first; then the session holds the account under `pending`, nobody is signed in
   * yet, and `complete` takes the proof.
   * @throws HttpError 403 for a suspended account.
   */
  async enter(
    request: Request,
    response: Response,
    identity: Identity,
    { remember = false, as = 'login', way, proven, holds }: EnterOptions = {},
  ): Promise<GateResult> {
    return this.#pass(request, response, identity, {
      event: as === 'registered' ? 'Registered' : 'Login',
      way: way ?? (as === 'registered' ? 'registration' : 'password'),
      proven: proven ?? null,
      remember,
      ...(holds !== undefined && { holds }),
    })
  }

  /** The sign-in that waits for a factor in this session; null if there is none. */
  pending(request: Request): Promise<PendingSignIn | null> {
    return this.#remember.gate.pending(request)
  }

  /** Ends the sign-in that waits for a factor in this session: after too many wrong ones, for example. */
  abandon({ session }: Request): void {
    session.delete(SessionKeys.Pending)
    session.regenerate()
  }

  /** The factors that can complete a pending sign-in. */
  async factorsFor({ user }: PendingSignIn): Promise<readonly Factor[]> {
    const identity = await this.#users.find(user)
    return identity === null ? [] : this.#remember.gate.factorsOf(identity)
  }

  /**
   * Completes the pending sign-in with the proof of a factor. Null if the proof is refused, so that
   * `AccountLimit.run` counts it; `expired` if there is nothing to complete, because the time is over, the
   * password has changed or another request has done it.
   */
  async complete(
    request: Request,
    response: Response,
    name: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<'complete' | 'expired' | null> {
    const { gate } = this.#remember
    const pending = await gate.pending(request)
    // Signing out everywhere ends it, also while the proof is being sent.
    if (pending === null || (await request.session.hasEnded())) return 'expired'
    const { user, challenge: binding, version, way, remember } = pending
    const identity = await this.#users.find(user)
    if (identity === null || credentialsVersion(identity) !== version) {
      request.session.delete(SessionKeys.Pending)
      return 'expired'
    }
    const factor = gate.factorsOf(identity).find((one) => one.name === name)
    const attempt = { user, fields, binding, purpose: 'sign-in', ...entryOrigin(request) } as const
    if (factor === undefined || !(await factor.verify(attempt))) {
      // Only a known name: this one came with the request.
      const method = factor?.name ?? null
      await this.#record('Failed', request, user, method)
      this.#emit(AuthEvents.Failed, request, user, { method })
      return null
    }
    const entry = { event: 'Login', way, proven: name, remember } as const
    await this.#pass(request, response, identity, entry)
    return 'complete'
  }

  /**
   * Signs out: forgets the device, deletes its cookie, empties the session and gives it a new id. For
   * a guest it does the same.
   */
  async leave(request: Request, response: Response): Promise<void> {
    const { session } = request
    const user = identityOf(await session.get(this.#remember.key))
    await this.#forgetDevice(request)
    this.#remember.forget(response)
    session.flush()
    session.regenerate()
    request.identity = null
    if (user === null) return
    session.confirmAfterSave(async () => {
      await this.#record('Logout', request, user)
      return true
    })
    this.#emit(AuthEvents.Logout, request, user)
  }

  /**
   * Emits `AuthEvents.Failed`. Of the e-mail that was typed only the keyed digest is passed on: people
   * type passwords into the wrong field.
   */
  refuse(request: Request, email: string = ''): void {
    const account = email === '' ? null : (this.#options.digest?.(email) ?? null)
    this.#emit(AuthEvents.Failed, request, null, { account })
  }

  /** Where to redirect after signing in: the intended URI, taken out of the session, or `otherwise`. */
  async destination(request: Request, otherwise: string): Promise<string> {
    return (await takeIntended(request)) ?? otherwise
  }

  async #pass(
    request: Request,
    response: Response,
    identity: Identity,
    { event, way, proven, remember, holds = async () => true }: Entry,
  ): Promise<GateResult> {
    const result = await this.#passGate(request, identity, {
      key: this.#remember.key,
      way,
      proven,
      remember,
      isTrusted: async () => (await this.#remember.device(request))?.user === identity.id,
      // A browser is at most one device: its earlier one, maybe of another account, is forgotten.
      beforeEntry: async () => {
        if (await this.#forgetDevice(request)) this.#remember.forget(response)
      },
    })
    const isDevice = result === 'complete' && remember
    const token = isDevice ? await this.#newDevice(request, response, identity) : null
    if (token !== null) request.session.set(SessionKeys.Device, deviceHandle(token.selector))
    this.#confirmAfterSave(request, response, identity, {
      token,
      holds,
      event: result === 'complete' ? event : 'FactorAsked',
      method: proven === null || proven === way ? way : `${way}+${proven}`,
    })
    return result
  }

  async #passGate(request: Request, identity: Identity, entry: GateEntry): Promise<GateResult> {
    try {
      return await this.#remember.gate.pass(request, identity, entry)
    } catch (error) {
      // Its owner, or somebody else who can prove to be: both are told, and so is the activity.
      if (isSuspended(identity)) {
        await this.#record('Failed', request, identity.id, entry.way)
        const details = { method: entry.way, reason: 'suspended' }
        this.#emit(AuthEvents.Failed, request, identity.id, details)
      }
      throw error
    }
  }

  async #newDevice(request: Request, response: Response, { id }: Identity): Promise<Token> {
    const use = entryOrigin(request)
    const token = await this.#trust.issue(id, this.#remember.policy.lifetime, use)
    this.#remember.emit(token, response)
    return token
  }

  /** Returns whether the request had a remember cookie. */
  async #forgetDevice(request: Request): Promise<boolean> {
    const { session } = request
    const presented = this.#remember.presented(request)
    if (presented !== undefined) await this.#trust.forget(presented)
    // Also by its handle: this request or another tab may have used up the token already.
    const user = identityOf(await session.get(this.#remember.key))
    const device = deviceOf(await session.get(SessionKeys.Device))
    if (user !== null && device !== null) await this.#trust.end(user, device)
    return presented !== undefined
  }

  // If the password or the factors were changed or the device revoked between the check and the save, the
  // sign-in is undone: that change could not end a session or device that was not stored yet.
  #confirmAfterSave(
    request: Request,
    response: Response,
    identity: Identity,
    { token, holds, event, method }: Entered,
  ): void {
    if (token !== null) request.session.undoIfLost(() => this.#trust.forget(token.value))
    request.session.confirmAfterSave(async () => {
      let stays = false
      try {
        const isTrusted = token === null || (await this.#trust.isLive(token.selector))
        const isValid = (await this.#users.isUnchanged(identity)) && isTrusted && (await holds())
        if (isValid) await this.#announce(event, request, identity.id, method)
        stays = isValid
      } finally {
        if (!stays && token !== null) {
          await this.#trust.forget(token.value)
          this.#remember.forget(response)
        }
      }
      return stays
    })
  }

  // Nobody has the id of the new session before this: without the row there is no sign-in.
  async #announce(
    event: Entered['event'],
    request: Request,
    user: string,
    method: string,
  ): Promise<void> {
    const { activity } = this.#remember.gate
    const entry = { user, event, method, ...entryOrigin(request) }
    const isNew = event === 'Login' && (await activity?.isNewDevice(entry)) === true
    // A registration was recorded with the account.
    if (event !== 'Registered') await activity?.record(entry)
    this.#emit(AuthEvents[event], request, user, { method })
    if (isNew) this.#emit(AuthEvents.NewDevice, request, user, { method })
  }

  async #record(
    event: AuthEventName,
    request: Request,
    user: string,
    method: string | null = null,
  ): Promise<void> {
    const { activity } = this.#remember.gate
    await activity?.record({ user, event, method, ...entryOrigin(request) })
  }

  #emit(
    event: AuthEvent,
    request: Request,
    user: string | null,
    details: Pick<AuthEventPayload, 'account' | 'method' | 'reason'> = {},
  ): void {
    const { emitter, clock = epochSeconds } = this.#options
    emitAuthEvent(emitter, event, request, { user, ...details, at: clock() })
  }
}

/** What the session of a sign-in is confirmed with. */
interface Entered {
  readonly token: Token | null
  readonly holds: () => Promise<boolean>
  readonly event: 'Login' | 'Registered' | 'FactorAsked'
  readonly method: string
}

/** What comes in through the gate. */
interface Entry {
  readonly event: 'Login' | 'Registered'
  readonly way: string
  readonly proven: string | null
  readonly remember: boolean
  readonly holds?: () => Promise<boolean>
}
