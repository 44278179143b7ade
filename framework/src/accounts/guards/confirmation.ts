import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import { stateOf } from '../identity.ts'
import { AuthEvents, emitAuthEvent, entryOrigin } from '../auth-events.ts'
import { SessionEnded } from '../session-ended.ts'
import type { AccountActivity } from '../account-activity.ts'
import { checkedFactorName } from '../factors/factor.ts'
import type { Factor } from '../factors/factor.ts'
import { requireIdentity } from './require-identity.ts'
import { Emitter } from '../../events/emitter.ts'
import type { RequestIdentity, Request } from '../../http/request/request.ts'
import { identityOf } from '../../http/session/identity-keys.ts'
import { SessionKeys } from '../../http/session/session-keys.ts'

/** Options of `Confirmation`. */
export interface ConfirmationOptions {
  /** What users can confirm with: `new PasswordFactor(users)`, and the factors of the gate. */
  readonly methods: readonly Factor[]
  /** Records what was confirmed and refused. @default nothing is recorded */
  readonly activity?: AccountActivity | null
  /** Receives `AuthEvents.Confirmed` and `AuthEvents.Failed`. @default Emitter.Instance */
  readonly emitter?: Emitter
  /** Epoch seconds; for tests. */
  readonly clock?: () => number
}

/** The one method that is no factor. */
const password = 'password'

/**
 * Lets signed-in users prove again who they are, before something that a stolen session must not do. The
 * session remembers it until its id changes hands: signing in, also by a remembered device, forgets it.
 *
 * An account whose sign-ins are asked for a factor confirms with a factor: the method `password` is refused,
 * or whoever has a session and the password could take the factor away.
 */
export class Confirmation {
  readonly #methods: ReadonlyMap<string, Factor>
  readonly #options: ConfirmationOptions

  /** @throws InvalidArgumentException for an invalid name. */
  constructor(options: ConfirmationOptions) {
    this.#methods = new Map(options.methods.map((one) => [checkedFactorName(one.name), one]))
    this.#options = options
  }

  /** The names of the methods that the user of a request can confirm with. */
  async methodsOf(request: Request): Promise<readonly string[]> {
    const identity = requireIdentity(request)
    const names: string[] = []
    for (const [name, method] of this.#methods) {
      if (await method.isEnrolled(identity.id)) names.push(name)
    }
    const needsFactor = await this.#needsFactor(identity)
    return needsFactor ? names.filter((name) => name !== password) : names
  }

  /**
   * Checks a proof and remembers it in the session, which gets a new id: a copy of the old one confirms
   * nothing. False for a proof that is wrong.
   * @throws HttpError 401 for a guest; FrameworkError E_SESSION_ENDED.
   */
  async confirm(
    request: Request,
    name: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<boolean> {
    const { session } = request
    const identity = requireIdentity(request)
    const { id: user } = identity
    // It may have ended while the proof was sent: then nothing is used up.
    if (await session.hasEnded()) throw new SessionEnded()
    const binding = session.digest ?? ''
    const method = this.#methods.get(name)
    const attempt = { user, fields, binding, purpose: 'confirm', ...entryOrigin(request) } as const
    const isTaken = name !== password || !(await this.#needsFactor(identity))
    if (method === undefined || !isTaken || !(await method.verify(attempt))) {
      // Only a known name: this one came with the request.
      await this.#tell('Failed', request, user, method?.name ?? null)
      return false
    }
    session.regenerate()
    this.remember(request, name)
    session.confirmAfterSave(async () => {
      await this.#tell('Confirmed', request, user, name)
      return true
    })
    return true
  }

  /**
   * Remembers a proof that was checked elsewhere: after the first code of an app that was just turned on, its
   * owner need not enter the next one to go on.
   * @throws HttpError 401 for a guest.
   */
  remember(request: Request, name: string): void {
    const identity = requireIdentity(request)
    const factors = stateOf(identity)?.factors ?? []
    const value = { id: identity.id, method: name, factors, at: this.#now() }
    request.session.set(SessionKeys.Confirmed, value)
  }

  // As the gate does: what the row says, and one that is not known here counts as asked for.
  async #needsFactor(identity: RequestIdentity): Promise<boolean> {
    const state = stateOf(identity)
    if (state !== null) {
      return state.factors.some((name) => this.#methods.get(name)?.isAsked ?? true)
    }
    for (const [name, method] of this.#methods) {
      const isAsked = name !== password && (method.isAsked ?? true)
      if (isAsked && (await method.isEnrolled(identity.id))) return true
    }
    return false
  }

  async #tell(
    event: 'Confirmed' | 'Failed',
    request: Request,
    user: string,
    method: string | null,
  ): Promise<void> {
    const { activity, emitter = Emitter.Instance } = this.#options
    await activity?.record({ user, event, method, ...entryOrigin(request) })
    emitAuthEvent(emitter, AuthEvents[event], request, { user, method, at: this.#now() })
  }

  #now(): number {
    const { clock = epochSeconds } = this.#options
    return Math.floor(clock())
  }
}

/** Whether the user of a request has confirmed in this session, at `earliest` or later. */
export async function isConfirmed(
  { identity, session }: Pick<Request, 'identity' | 'session'>,
  { key, earliest }: { readonly key: string; readonly earliest: number },
): Promise<boolean> {
  const value = await session.get(SessionKeys.Confirmed)
  if (identity === null || typeof value !== 'object' || value === null) return false
  const at = 'at' in value && typeof value.at === 'number' ? value.at : 0
  // The session must be that of the user: a request that is known by a token confirms nothing.
  const isOwn = identityOf(value) === identity.id
  const isSession = identityOf(await session.get(key)) === identity.id
  return isOwn && isSession && at >= earliest && !isOutdated(identity, value)
}

// A password confirms only what the account was then: a factor that came later has to be proven itself.
function isOutdated(identity: RequestIdentity, value: object): boolean {
  if (!('method' in value) || value.method !== password) return false
  const known: readonly unknown[] =
    'factors' in value && Array.isArray(value.factors) ? value.factors : []
  return (stateOf(identity)?.factors ?? []).some((name) => !known.includes(name))
}
