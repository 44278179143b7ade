import type { RequestIdentity, Request } from '../../http/request/request.ts'
import type { Middleware } from '../../http/router/middleware.ts'
import { identityOf } from '../../http/session/identity-keys.ts'
import { sessionsAround } from '../devices/account-sessions.ts'
import { loadActive } from './guard.ts'
import type { Guard, LoadIdentity } from './guard.ts'

/** Options of `SessionGuard`. */
export interface SessionGuardOptions {
  /** Session key of the signed-in account. @default 'identity' */
  readonly key?: string
  /** Loads the account on each request: `(id) => users.find(id)`. Without it the session is trusted. */
  readonly load?: LoadIdentity
}

/** Identifies the user by the session. An account that is suspended, or no longer exists, is signed out. */
export class SessionGuard implements Guard {
  readonly #key: string
  readonly #load: LoadIdentity | null

  constructor({ key = 'identity', load }: SessionGuardOptions = {}) {
    this.#key = key
    this.#load = load ?? null
  }

  join(outer: readonly Middleware[]): void {
    sessionsAround(outer)?.identityKeys.follow(this.#key)
  }

  async authenticate(request: Request): Promise<boolean> {
    const found = requestIdentity(await request.session.get(this.#key))
    if (found === null) return false
    const identity = this.#load === null ? found : await loadActive(this.#load, found.id)
    request.identity = identity
    if (identity === null) signOut(request)
    return identity !== null
  }
}

/** The identity in a session, from the value under the guard's key: an id, or an object with an `id`. */
function requestIdentity(value: unknown): RequestIdentity | null {
  const id = identityOf(value)
  if (id === null) return null
  if (typeof value !== 'object' || value === null) return Object.freeze({ id })
  return Object.freeze({
    id,
    ...('email' in value && typeof value.email === 'string' && { email: value.email }),
    ...('verified' in value && typeof value.verified === 'boolean' && { verified: value.verified }),
  })
}

// The session still holds the data of the deleted account.
function signOut({ session }: Request): void {
  session.flush()
  session.regenerate()
}
