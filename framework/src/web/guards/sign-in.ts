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

/** What signing in and out works with. */
export interface SignInOptions {
  /** Says whether a password that was verified is still the stored one: a `Users`. */
  readonly users: { isUnchanged(identity: Identity): Promise<boolean> }
  readonly trust: Trust
  /** The guard whose cookie is sent; it also says under which key of the session the account stands. */
  readonly remember: Remember
  /** Hears of what happens; the shared one unless given. */
  readonly emitter?: Emitter
  /** Whether a password is all that this account takes: the place for a second factor. True unless given. */
  readonly completes?: (identity: Identity) => boolean | Promise<boolean>
  /** Epoch seconds, in place of the time of day. */
  readonly clock?: () => number
}

/** How somebody comes in. */
export interface EnterOptions {
  /** Whether this browser becomes a trusted device. */
  readonly remember?: boolean
  /** What is told of it: a `login` unless given, or an account just `registered`. */
  readonly as?: 'login' | 'registered'
}

/**
 * What signing up, in and out does to the session, the cookie of the device and the events, in one
 * place. Whenever somebody becomes another the session gets a new id, so that one planted before leads
 * nowhere.
 */
export class SignIn {
  readonly #users: SignInOptions['users']
  readonly #trust: Trust
  readonly #remember: Remember
  readonly #emitter: Emitter
  readonly #completes: (identity: Identity) => boolean | Promise<boolean>
  readonly #clock: () => number

  constructor(options: SignInOptions) {
    const { users, trust, remember, completes = () => true } = options
    const { emitter = Emitter.Instance, clock = () => Date.now() / 1000 } = options
    this.#users = users
    this.#trust = trust
    this.#remember = remember
    this.#emitter = emitter
    this.#completes = completes
    this.#clock = clock
  }

  /**
   * Signs somebody in whom `users` gave: a new id for the session, the account in it and, if asked for,
   * a cookie that makes this browser a trusted device. `pending` when a password is not all that the account takes;
   * then the session says under `pending` whom it waits for, and nobody is signed in.
   */
  async enter(
    request: Request,
    response: Response,
    identity: Identity,
    { remember = false, as = 'login' }: EnterOptions = {},
  ): Promise<'complete' | 'pending'> {
    const { session } = request
    if (!(await this.#completes(identity))) {
      await this.#begin(request, identity)
      session.set(SessionKeys.Pending, { id: identity.id, remember })
      this.#confirmAfterSave(request, response, identity, { token: null, told: null })
      return 'pending'
    }
    // A browser is one device at most: what it was before, somebody else's maybe, is over.
    if (await this.#forgetDevice(request)) this.#remember.forget(response)
    await this.#begin(request, identity)
    session.set(this.#remember.key, identity.id)
    request.identity = identity
    const token = remember ? await this.#newDevice(request, response, identity) : null
    if (token !== null) session.set(SessionKeys.Device, deviceHandle(token.selector))
    const told = as === 'registered' ? AuthEvents.Registered : AuthEvents.Login
    this.#confirmAfterSave(request, response, identity, { token, told })
    return 'complete'
  }

  /**
   * Signs out: the device is forgotten and its cookie taken away, the session emptied and given a new
   * id. A guest loses the same.
   */
  async leave(request: Request, response: Response): Promise<void> {
    const { session } = request
    const user = identityOf(await session.get(this.#remember.key))
    await this.#forgetDevice(request)
    this.#remember.forget(response)
    session.flush()
    session.regenerate()
    request.identity = null
    if (user !== null) this.#tell(AuthEvents.Logout, request, user)
  }

  /** Tells of a sign-in that was refused. Whom the guest wanted to be is not told: it may be a password. */
  refuse(request: Request): void {
    this.#tell(AuthEvents.Failed, request, null)
  }

  /** Where to go after a sign-in: where the guest was sent away from, which is forgotten, or `otherwise`. */
  async destination(request: Request, otherwise: string): Promise<string> {
    return (await takeIntended(request)) ?? otherwise
  }

  async #begin({ session }: Request, identity: Identity): Promise<void> {
    const before = identityOf(await session.get(this.#remember.key))
    // What one person left in the session is nothing for the next.
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

  /** Whether there was a cookie of a device. */
  async #forgetDevice({ session, cookies }: Request): Promise<boolean> {
    const presented = cookies.get(this.#remember.policy.name)
    if (presented !== undefined) await this.#trust.forget(presented)
    // By its handle too: the token may be used up already, by this request or by one of another tab.
    const user = identityOf(await session.get(this.#remember.key))
    const device = deviceOf(await session.get(SessionKeys.Device))
    if (user !== null && device !== null) await this.#trust.end(user, device)
    return presented !== undefined
  }

  // A password that was changed, or a device that was revoked, between its check and the save of the
  // session wins: whoever did that could end neither a session nor a device that was not there yet.
  #confirmAfterSave(
    request: Request,
    response: Response,
    identity: Identity,
    { token, told }: Entry,
  ): void {
    if (token !== null) request.session.undoIfLost(() => this.#trust.forget(token.value))
    request.session.confirmAfterSave(async () => {
      const isTrusted = token === null || (await this.#trust.isLive(token.selector))
      if ((await this.#users.isUnchanged(identity)) && isTrusted) {
        if (told !== null) this.#tell(told, request, identity.id)
        return true
      }
      if (token !== null) {
        await this.#trust.forget(token.value)
        this.#remember.forget(response)
      }
      return false
    })
  }

  #tell(event: AuthEvent, request: Request, user: string | null): void {
    emitAuthEvent(this.#emitter, event, request, { user, at: this.#clock() })
  }
}

/** What a session that was just saved is asked about. */
interface Entry {
  readonly token: Token | null
  readonly told: AuthEvent | null
}
