import { ConfigurationError } from '../../base/errors.ts'
import { Sessions } from '../../http/session/sessions.ts'
import type { Request } from '../../http/request/request.ts'
import type { Middleware } from '../../http/router/middleware.ts'

/** The `Sessions` among these middlewares; null if there is none. */
export function sessionsAround(outer: readonly Middleware[]): Sessions | null {
  return outer.find((middleware) => middleware instanceof Sessions) ?? null
}

/**
 * Makes the `Sessions` around a route that `Remember` guards index sessions by the key of the account.
 * @throws ConfigurationError if there is no `Sessions`, or it is set to another key.
 */
export function claimSessions(outer: readonly Middleware[], key: string): void {
  const around = sessionsAround(outer)
  if (around === null) throw missingSessions()
  around.identityKeys.claim(key)
}

/**
 * The `Sessions` of a request, which can end those of an account.
 * @throws ConfigurationError if it could not: the guard protects no route, so nobody has claimed the key.
 */
export function claimedSessions({ sessions }: Request, key: string): Sessions {
  if (!(sessions instanceof Sessions)) throw missingSessions()
  if (!sessions.identityKeys.includes(key)) throw keyNotIndexed(key)
  return sessions
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
