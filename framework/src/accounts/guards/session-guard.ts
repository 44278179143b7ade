import type { Request } from '../../http/request/request.ts'
import type { Middleware } from '../../http/router/middleware.ts'
import { sessionsAround } from './account-sessions.ts'
import type { Guard } from './guard.ts'
import { loadActive, requestIdentity } from './request-identity.ts'
import type { LoadIdentity } from './request-identity.ts'

/** Options of `SessionGuard`. */
export interface SessionGuardOptions {
  /**
   * Session key of the signed-in account.
   * @default 'identity'
   */
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

// The session still holds the data of the deleted account.
function signOut({ session }: Request): void {
  session.flush()
  session.regenerate()
}
