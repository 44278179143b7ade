import type { Request } from '../request/request.ts'
import type { Middleware } from '../router/middleware.ts'
import { sessionsAround } from './account-sessions.ts'
import type { Guard } from './guard.ts'
import { requestIdentity } from './request-identity.ts'
import type { LoadIdentity } from './request-identity.ts'

/** Where the guard looks. */
export interface SessionGuardOptions {
  /**
   * Key of the session that says who is signed in.
   * @default 'identity'
   */
  readonly key?: string
  /** Loads the account of each request: `(id) => users.find(id)`. Without it the session is believed. */
  readonly load?: LoadIdentity
}

/** Lets those pass whose session says who they are. An account that is gone is signed out. */
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
    const identity = this.#load === null ? found : await this.#load(found.id)
    request.identity = identity
    if (identity === null) signOut(request)
    return identity !== null
  }
}

// What the session holds was of somebody who is no more, and nobody's business from now on.
function signOut({ session }: Request): void {
  session.flush()
  session.regenerate()
}
