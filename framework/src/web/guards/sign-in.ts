import { AuthEvents, emitAuthEvent } from '../../app/security/accounts/auth-events.ts'
import type { AuthEvent } from '../../app/security/accounts/auth-events.ts'
import { deviceHandle } from '../../app/security/tokens/device.ts'
import type { Identity } from '../../app/security/accounts/identity.ts'
import type { Token } from '../../app/security/tokens/token.ts'
import type { Trust } from '../../app/security/tokens/trust.ts'
import { Emitter } from '../../services/events/emitter.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { deviceOf, identityOf } from '../session/identity-keys.ts'
import { SessionKeys } from '../session/session-keys.ts'
import { takeIntended } from './intended.ts'
import type { Remember } from './remember.ts'

/** Options of `SignIn`. */
export interface SignInOptions {
  /** A `Users`: checks whether a verified password is still the stored one. */
  readonly users: { isUnchanged(identity: Identity): Promise<boolean> }
  readonly trust: Trust
  /** The guard whose cookie is sent and whose session key holds the account. */
  readonly remember: Remember
  /**
   * Receives the `AuthEvents`.
   * @default Emitter.Instance
   */
  readonly emitter?: Emitter
  /**
   * Whether the password alone completes the sign-in; return false to ask for a second factor.
   * @default () => true
   */
  readonly completes?: (identity: Identity) => boolean | Promise<boolean>
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
  /**
   * Whether this browser becomes a trusted device.
   * @default false
   */
  readonly remember?: boolean
  /**
   * Which event is emitted.
   * @default 'login'
   */
  readonly as?: 'login' | 'registered'
}

/**
 * Does all that signing up, in and out changes: session, remember cookie and events. Each change of
 * user gives the session a new id, so an id planted by an attacker is never signed in.
 */
export class SignIn {
  readonly #users: SignInOptions['users']
  readonly #trust: Trust
  readonly #remember: Remember
  readonly #emitter: Emitter
  readonly #completes: (identity: Identity) => boolean | Promise<boolean>
  readonly #digest: ((email: string) => string) | null
  readonly #clock: () => number

  constructor(options: SignInOptions) {
    const { users, trust, remember, completes = () => true, digest = null } = options
    const { emitter = Emitter.Instance, clock = () => Date.now() / 1000 } = options
    this.#users = users
    this.#trust = trust
    this.#remember = remember
    this.#emitter = emitter
    this.#completes = completes
    this.#digest = digest
    this.#clock = clock
  }

  /**
   * Signs in an identity returned by `users`: gives the session a new id, stores the account in it and,
   * with `remember`, makes this browser a trusted device. Returns `pending` if a second factor is
   * needed; then the session holds the account under `pending` and nobody is signed in yet.
   */
  async enter(
    request: Request,
    response: Response,
    identity: Identity,
    { remember = false, as = 'login' }: EnterOptions = {},
  ): Promise<'complete' | 'pending'> {
    const { session } = request
    if (!(await this.#completes(identity))) {
      await this.#resetSession(request, identity)
      session.set(SessionKeys.Pending, { id: identity.id, remember })
      this.#confirmAfterSave(request, response, identity, { token: null, event: null })
      return 'pending'
    }
    // A browser is at most one device: its earlier one, maybe of another account, is forgotten.
    if (await this.#forgetDevice(request)) this.#remember.forget(response)
    await this.#resetSession(request, identity)
    session.set(this.#remember.key, identity.id)
    request.identity = identity
    const token = remember ? await this.#newDevice(request, response, identity) : null
    if (token !== null) session.set(SessionKeys.Device, deviceHandle(token.selector))
    const event = as === 'registered' ? AuthEvents.Registered : AuthEvents.Login
    this.#confirmAfterSave(request, response, identity, { token, event })
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
    if (user !== null) this.#emit(AuthEvents.Logout, request, user)
  }

  /**
   * Emits `AuthEvents.Failed`. Of the e-mail that was typed only the keyed digest is passed on: people
   * type passwords into the wrong field.
   */
  refuse(request: Request, email: string = ''): void {
    const account = email === '' ? null : (this.#digest?.(email) ?? null)
    this.#emit(AuthEvents.Failed, request, null, account)
  }

  /** Where to redirect after signing in: the intended URI, taken out of the session, or `otherwise`. */
  async destination(request: Request, otherwise: string): Promise<string> {
    return (await takeIntended(request)) ?? otherwise
  }

  async #resetSession({ session }: Request, identity: Identity): Promise<void> {
    const before = identityOf(await session.get(this.#remember.key))
    // One account must not see the session data of another.
    if (before !== null && before !== identity.id) session.flush()
    session.regenerate()
    for (const key of [this.#remember.key, SessionKeys.Device, SessionKeys.Pending]) {
      session.delete(key)
    }
  }

  async #newDevice(request: Request, response: Response, { id }: Identity): Promise<Token> {
    const token = await this.#trust.issue(id, this.#remember.policy.lifetime, {
      agent: request.header('user-agent') ?? '',
      peer: request.peer,
    })
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

  // If the password was changed or the device revoked between its check and the save, the sign-in is
  // undone: that change could not end a session or device that was not stored yet.
  #confirmAfterSave(
    request: Request,
    response: Response,
    identity: Identity,
    { token, event }: { readonly token: Token | null; readonly event: AuthEvent | null },
  ): void {
    if (token !== null) request.session.undoIfLost(() => this.#trust.forget(token.value))
    request.session.confirmAfterSave(async () => {
      const isTrusted = token === null || (await this.#trust.isLive(token.selector))
      if ((await this.#users.isUnchanged(identity)) && isTrusted) {
        if (event !== null) this.#emit(event, request, identity.id)
        return true
      }
      if (token !== null) {
        await this.#trust.forget(token.value)
        this.#remember.forget(response)
      }
      return false
    })
  }

  #emit(
    event: AuthEvent,
    request: Request,
    user: string | null,
    account: string | null = null,
  ): void {
    emitAuthEvent(this.#emitter, event, request, { user, account, at: this.#clock() })
  }
}
