import { ConfigurationError } from '../../base/errors.ts'
import { Sessions } from '../session/sessions.ts'
import type { Request } from '../request/request.ts'
import type { Middleware } from '../router/middleware.ts'

/** Ends all sessions of an account; the number of them. */
export interface SessionRevoker {
  revoke(identity: string): Promise<number>
}

/** The `Sessions` that keep the session of those inside these middlewares; null when there are none. */
export function sessionsAround(outer: readonly Middleware[]): Sessions | null {
  return outer.find((middleware) => middleware instanceof Sessions) ?? null
}

/** How a guard that keeps accounts under a key of the session finds and ends the sessions of one. */
export class AccountSessions {
  readonly #key: string
  readonly #given: SessionRevoker | null

  constructor(key: string, given: SessionRevoker | undefined) {
    this.#key = key
    this.#given = given ?? null
  }

  /**
   * Has the sessions around a guarded route indexed by the key of the guard.
   * @throws ConfigurationError when there are none, or they are told to follow another key.
   */
  join(outer: readonly Middleware[]): void {
    const around = sessionsAround(outer)
    if (around === null && this.#given === null) throw endsNoSessions()
    for (const sessions of [around, this.#given]) {
      if (sessions instanceof Sessions) sessions.identityKeys.claim(this.#key)
    }
  }

  /**
   * Gives a function that ends all sessions of an account.
   * @throws ConfigurationError when it could not: for a guard that stands on no route.
   */
  revoker({ sessions }: Request): (identity: string) => Promise<void> {
    const revokers = new Set<SessionRevoker>()
    if (this.#given !== null) revokers.add(this.#given)
    if (sessions instanceof Sessions) {
      if (!sessions.identityKeys.includes(this.#key)) throw isNotFollowed(this.#key)
      revokers.add(sessions)
    }
    if (revokers.size === 0) throw endsNoSessions()
    return async (identity) => {
      for (const revoker of revokers) await revoker.revoke(identity)
    }
  }
}

function endsNoSessions(): ConfigurationError {
  return new ConfigurationError(
    'E_SESSION_INDEX',
    'Remember ends the sessions of an account whose cookie was copied, and there are none around it;' +
      ' server.use(new Sessions(store)) before its routes',
  )
}

function isNotFollowed(key: string): ConfigurationError {
  return new ConfigurationError(
    'E_SESSION_INDEX',
    `Remember keeps accounts under "${key}", where the sessions do not look; guard a route with it, or` +
      ` use new Sessions(store, { identityKey: '${key}' })`,
  )
}
