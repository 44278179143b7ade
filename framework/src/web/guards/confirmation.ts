import { AuthEvents, emitAuthEvent } from '../../app/security/accounts/auth-events.ts'
import type { AuthEvent } from '../../app/security/accounts/auth-events.ts'
import { checkedFactorName } from '../../app/security/factors/factor-names.ts'
import type { Factor } from '../../app/security/factors/factor.ts'
import { HttpError } from '../errors/http-error.ts'
import { Emitter } from '../../services/events/emitter.ts'
import type { Request, RequestIdentity } from '../request/request.ts'
import { identityOf } from '../session/identity-keys.ts'
import { SessionKeys } from '../session/session-keys.ts'

/** Options of `Confirmation`. */
export interface ConfirmationOptions {
  /** What users can confirm with: `new PasswordFactor(users)`, and the factors of the gate. */
  readonly methods: readonly Factor[]
  /**
   * Receives `AuthEvents.Confirmed` and `AuthEvents.Failed`.
   * @default Emitter.Instance
   */
  readonly emitter?: Emitter
  /** Epoch seconds; for tests. */
  readonly clock?: () => number
}

/**
 * Lets signed-in users prove again who they are, before something that a stolen session must not do. The
 * session remembers it until its id changes hands: signing in, also by a remembered device, forgets it.
 */
export class Confirmation {
  readonly #methods = new Map<string, Factor>()
  readonly #emitter: Emitter
  readonly #clock: () => number

  /** @throws InvalidArgumentException for an invalid name. */
  constructor({ methods, emitter = Emitter.Instance, clock }: ConfirmationOptions) {
    for (const method of methods) this.#methods.set(checkedFactorName(method.name), method)
    this.#emitter = emitter
    this.#clock = clock ?? (() => Date.now() / 1000)
  }

  /** The names of the methods that the user of a request has. */
  async methodsOf(request: Request): Promise<readonly string[]> {
    const { id } = userOf(request)
    const names: string[] = []
    for (const [name, method] of this.#methods) {
      if (await method.isEnrolled(id)) names.push(name)
    }
    return names
  }

  /**
   * Checks a proof and remembers it in the session, which gets a new id: a copy of the old one confirms
   * nothing. False for a proof that is wrong.
   * @throws HttpError 401 for a guest.
   */
  async confirm(
    request: Request,
    name: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<boolean> {
    const { peer, session } = request
    const { id: user } = userOf(request)
    const binding = session.digest ?? ''
    const method = this.#methods.get(name)
    if (method === undefined || !(await method.verify({ user, fields, binding, peer }))) {
      this.#emit(AuthEvents.Failed, request, user)
      return false
    }
    session.regenerate()
    session.set(SessionKeys.Confirmed, { id: user, method: name, at: this.#now() })
    session.confirmAfterSave(async () => {
      this.#emit(AuthEvents.Confirmed, request, user)
      return true
    })
    return true
  }

  #emit(event: AuthEvent, request: Request, user: string): void {
    emitAuthEvent(this.#emitter, event, request, { user, at: this.#now() })
  }

  #now(): number {
    return Math.floor(this.#clock())
  }
}

/** Whether the user of a request has confirmed in this session, at `earliest` or later. */
export async function isConfirmed(
  { identity, session }: Pick<Request, 'identity' | 'session'>,
  { key, earliest }: { readonly key: string; readonly earliest: number },
): Promise<boolean> {
  const value = await session.get(SessionKeys.Confirmed)
  if (identity === null || typeof value !== 'object' || value === null || !('at' in value))
    return false
  // The session must be that of the user: a request that is known by a token confirms nothing.
  const isOwn = identityOf(value) === identity.id
  const isSession = identityOf(await session.get(key)) === identity.id
  return isOwn && isSession && typeof value.at === 'number' && value.at >= earliest
}

function userOf({ identity }: Request): RequestIdentity {
  if (identity === null) throw new HttpError(401)
  return identity
}
