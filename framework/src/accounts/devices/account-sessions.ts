import { ConfigurationError } from '../../base/errors.ts'
import { Sessions } from '../../http/session/sessions.ts'
import type { Request } from '../../http/request/request.ts'
import type { Middleware } from '../../http/router/middleware.ts'

/** What `Remember` ends sessions with after a theft; `Sessions` is one. */
export interface SessionRevoker {
  /** Ends all sessions of an account and returns how many there were. */
  revoke(identity: string): Promise<number>
}

/** The `Sessions` among these middlewares; null if there is none. */
export function sessionsAround(outer: readonly Middleware[]): Sessions | null {
  return outer.find((middleware) => middleware instanceof Sessions) ?? null
}

/** Finds and ends the sessions of an account, for a guard that stores the account under `key`. */
export class AccountSessions {
  readonly #key: string
  readonly #given: SessionRevoker | null

  constructor(key: string, given: SessionRevoker | undefined) {
    this.#key = key
    this.#given = given ?? null
  }

  /**
   * Makes the `Sessions` around a guarded route index sessions by the guard's key.
   * @throws ConfigurationError if there is no `Sessions`, or it is set to another key.
   */
  join(outer: readonly Middleware[]): void {
    const around = sessionsAround(outer)
    if (around === null && this.#given === null) throw missingSessions()
    for (const sessions of [around, this.#given]) {
      if (sessions instanceof Sessions) sessions.identityKeys.claim(this.#key)
    }
  }

  /**
   * Returns a function that ends all sessions of an account.
   * @throws ConfigurationError if it could not end them: the guard protects no route, so it never
   *   joined a `Sessions`.
   */
  revoker({ sessions }: Request): (identity: string) => Promise<void> {
    const revokers = new Set<SessionRevoker>()
    if (this.#given !== null) revokers.add(this.#given)
    if (sessions instanceof Sessions) {
      if (!sessions.identityKeys.includes(this.#key)) throw keyNotIndexed(this.#key)
      revokers.add(sessions)
    }
    if (revokers.size === 0) throw missingSessions()
    return async (identity) => {
      for (const revoker of revokers) await revoker.revoke(identity)
    }
  }
}

function missingSessions(): ConfigurationError {
  return new ConfigurationError(
    'E_SESSION_INDEX',
    'Remember must be able to end the sessions of an account whose cookie was stolen, but found no' +
      ' Sessions around its route; call server.use(new Sessions(store)) before adding the route',
  )
}

function keyNotIndexed(key: string): ConfigurationError {
  return new ConfigurationError(
    'E_SESSION_INDEX',
    `Remember stores accounts under "${key}", a key that Sessions does not index; guard a route with` +
      ` it, or pass this key to new Sessions as identityKey`,
  )
}
