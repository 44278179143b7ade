import { randomBytes } from 'node:crypto'
import { ConfigurationError, invalidArgument } from '../../base/errors.ts'
import type { InvalidArgumentException } from '../../base/errors.ts'
import { isRecord } from '../../base/is-record.ts'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { RequestIdentity, Request } from '../../http/request/request.ts'
import { identityOf } from '../../http/session/identity-keys.ts'
import { SessionKeys } from '../../http/session/session-keys.ts'
import type { Session } from '../../http/session/session.ts'
import { credentialsVersion, isSuspended, stateOf } from '../identity.ts'
import type { AccountActivity } from '../account-activity.ts'
import type { Factor } from '../factors/factor.ts'
import { checkedFactorName } from '../factors/factor.ts'
import { expiryOf } from '../tokens/token.ts'

/** Options of `SignInGate`. */
export interface SignInGateOptions {
  /**
   * What accounts may have besides their password. An account that has some of them must prove one.
   * @default none
   */
  readonly factors?: readonly Factor[]
  /**
   * Whether a trusted device of the account stands for its factor. It became one after a factor was
   * proven, or while the account had none.
   * @default true
   */
  readonly trustDevices?: boolean
  /** Seconds for which a sign-in waits for its factor. @default 600 */
  readonly pendingTtl?: number
  /** Records who came in. @default nothing is recorded */
  readonly activity?: AccountActivity | null
  /** Epoch seconds; for tests. */
  readonly clock?: () => number
}

/** How somebody comes in. */
export interface GateEntry {
  /** Session key of the signed-in account. */
  readonly key: string
  /** `password`, `device`, `mail`, … A `reset` never counts as coming from a trusted device. */
  readonly way: string
  /** Whether the browser is a trusted device of the account; asked only if a factor is needed. */
  readonly isTrusted: () => boolean | Promise<boolean>
  /** The factor that was proven already; null for none. */
  readonly proven: string | null
  /** Whether the browser becomes a trusted device. */
  readonly remember: boolean
  /** Runs before the account is stored in the session, if it is. */
  readonly beforeEntry?: () => Promise<void>
}

/** Whether somebody is signed in, or has to prove a factor first. */
export type GateResult = 'complete' | 'pending'

/** A sign-in that waits for a factor. It is in the session; nobody is signed in by it. */
export interface PendingSignIn {
  /** Id of the account. */
  readonly user: string
  /** Identifies this sign-in; the `binding` of what is tried to complete it. */
  readonly challenge: string
  /** How the visitor came in so far: `password`, for example. */
  readonly way: string
  /** Whether the browser becomes a trusted device. */
  readonly remember: boolean
  /** Changes with the password of the account: then the sign-in is void. */
  readonly version: string | null
  /** Epoch seconds after which it is void. */
  readonly expires: number
}

/** Ways in that a trusted device does not shorten: who reads the mails of an account is not its owner. */
const untrustedWays: ReadonlySet<string> = new Set(['reset'])

/**
 * The one place where an account gets into a session. Whoever comes in, by a password, a remembered
 * device, a mailed code or a passkey, passes it, and is signed in only if the account has no factor or
 * one of them is proven. Which factors an account has was read with its row, so this asks nothing.
 */
export class SignInGate {
  readonly trustsDevices: boolean
  /** Records who came in; null if nothing is recorded. */
  readonly activity: AccountActivity | null
  readonly #factors = new Map<string, Factor>()
  readonly #pendingTtl: number
  readonly #clock: () => number

  /** @throws InvalidArgumentException for an invalid name, two factors of one name, or a `pendingTtl` below 1. */
  constructor(options: SignInGateOptions = {}) {
    const { factors = [], trustDevices = true, pendingTtl = 600 } = options
    this.trustsDevices = trustDevices
    this.activity = options.activity ?? null
    this.#pendingTtl = expiryOf(0, pendingTtl, 'pendingTtl of SignInGate')
    this.#clock = options.clock ?? epochSeconds
    for (const factor of factors) {
      if (this.#factors.has(checkedFactorName(factor.name))) throw sameName(factor.name)
      this.#factors.set(factor.name, factor)
    }
  }

  /** The factor of this name; null if there is none. */
  factor(name: string): Factor | null {
    return this.#factors.get(name) ?? null
  }

  /**
   * The factors with which an identity of `Users` can complete a sign-in.
   * @throws ConfigurationError if the account has factors, but none that is known here: it must not be
   * treated like an account without any.
   */
  factorsOf(identity: object): readonly Factor[] {
    const names = stateOf(identity)?.factors ?? []
    const known = names.flatMap((name) => this.#factors.get(name) ?? [])
    if (names.length > 0 && known.length === 0) throw unknownFactors(names)
    return known
  }

  /**
   * Signs an account in, or leaves its sign-in pending. Either way the session gets a new id.
   * @throws HttpError 403 for an API token, and for a suspended account once everything is proven.
   */
  async pass(request: Request, identity: RequestIdentity, entry: GateEntry): Promise<GateResult> {
    if (request.apiToken !== null) throw refuseToken()
    const isPending = await this.#asks(identity, entry)
    if (!isPending && isSuspended(identity)) throw refuseSuspended()
    if (!isPending) await entry.beforeEntry?.()
    await this.#resetSession(request, identity.id, entry.key)
    if (isPending) {
      const { way, remember } = entry
      storePending(request.session, {
        user: identity.id,
        challenge: randomBytes(16).toString('hex'),
        way,
        remember,
        version: credentialsVersion(identity),
        expires: this.#now() + this.#pendingTtl,
      })
      return 'pending'
    }
    request.session.set(entry.key, identity.id)
    request.identity = identity
    return 'complete'
  }

  /** The sign-in of a request that waits for a factor; null if there is none. */
  pending({ session }: Pick<Request, 'session'>): Promise<PendingSignIn | null> {
    return readPending(session, this.#now())
  }

  async #asks(identity: object, { way, proven, isTrusted }: GateEntry): Promise<boolean> {
    // Not from `Users`: it may have factors, and only a trusted device needs none of them.
    const isUnread = this.#factors.size > 0 && stateOf(identity) === null
    const factors = this.factorsOf(identity)
    // One that is not known here counts as asked for: its account must not be open to a password alone.
    const isAsked = (name: string): boolean => this.#factors.get(name)?.isAsked ?? true
    if (!isUnread && !(stateOf(identity)?.factors ?? []).some(isAsked)) return false
    if (factors.some(({ name }) => name === proven)) return false
    const mayTrust = this.trustsDevices && !untrustedWays.has(way)
    if (mayTrust && (await isTrusted())) return false
    if (isUnread) throw unreadFactors()
    return true
  }

  async #resetSession({ session }: Request, user: string, key: string): Promise<void> {
    const before = identityOf(await session.get(key))
    // One account must not see the session data of another; where the visitor wanted to go is no secret.
    if (before !== null && before !== user) {
      const intended = await session.get(SessionKeys.Intended)
      session.flush()
      session.set(SessionKeys.Intended, intended)
    }
    session.regenerate()
    const { Device, Pending, Confirmed } = SessionKeys
    for (const stale of [key, Device, Pending, Confirmed]) session.delete(stale)
  }

  #now(): number {
    return Math.floor(this.#clock())
  }
}

/** Stores a pending sign-in; its `id` is what sessions are indexed by. */
function storePending(session: Session, { user, ...pending }: PendingSignIn): void {
  session.set(SessionKeys.Pending, { id: user, ...pending })
}

/** The pending sign-in of a session; null if there is none or its time is over. */
async function readPending(session: Session, now: number): Promise<PendingSignIn | null> {
  const value = await session.get(SessionKeys.Pending)
  if (!isRecord(value)) return null
  const { id, challenge, way, remember, version, expires } = value
  if (typeof id !== 'string' || typeof challenge !== 'string' || typeof way !== 'string')
    return null
  if (typeof expires !== 'number' || expires <= now) return null
  return {
    user: id,
    challenge,
    way,
    remember: remember === true,
    version: typeof version === 'string' ? version : null,
    expires,
  }
}

/** An API token opens no session: what its scopes forbid would be allowed there. */
function refuseToken(): HttpError {
  return new HttpError(403, 'An API token cannot sign in.', { expose: true, problem: true })
}

function refuseSuspended(): HttpError {
  return new HttpError(403, 'This account is suspended.', { expose: true })
}

function unknownFactors(names: readonly string[]): ConfigurationError {
  return new ConfigurationError(
    'E_FACTOR',
    `an account has the factors ${names.join(', ')}, none of which the project has; pass them to SignInGate, ` +
      'or remove them from the account',
  )
}

function unreadFactors(): ConfigurationError {
  return new ConfigurationError(
    'E_FACTOR',
    'the factors of an account are read with its row; sign in an identity that Users has returned, not a copy, ' +
      'and pass load: (id) => users.find(id) to Remember',
  )
}

function sameName(name: string): InvalidArgumentException {
  return invalidArgument(`two factors are called ${name}`)
}
