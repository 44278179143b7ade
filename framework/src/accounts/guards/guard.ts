import type { RequestIdentity, Request } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import type { Middleware } from '../../http/router/middleware.ts'
import type { ServerHost } from '../../http/server/server-host.ts'
import { isSuspended } from '../identity.ts'

/** Identifies the user of a request. `Authentication` calls it before a route; a handler may, too. */
export interface Guard {
  /** Whether the user is known; if so, sets `request.identity`. */
  authenticate(request: Request, response: Response): boolean | Promise<boolean>
  /**
   * Whether it put off identifying the user because the request is a prefetch whose response may never
   * be shown. A guarded route then responds with 425 instead of treating the user as a guest.
   */
  defers?(request: Request): boolean
  /** Called just before a response is sent, error responses included. */
  finish?(request: Request, response: Response): void
  /** Called once at startup with its server. An error stops the server from starting. */
  attach?(server: ServerHost): void
  /**
   * Called at startup for each route it guards, with the middlewares around it, outermost first. An
   * error thrown here stops the server from starting.
   */
  join?(outer: readonly Middleware[]): void
  /**
   * The scheme in the `WWW-Authenticate` header of a 401, such as `Bearer`.
   * @default 'Cookie', which browsers do not know: a scheme they know makes them ask for a password
   */
  readonly scheme?: string | undefined
  /** The realm in the `WWW-Authenticate` header of a 401. @default 'Protected area' */
  readonly realm?: string | undefined
}

/** Loads an account; null if it no longer exists. If it cannot tell, it must reject instead. */
export type LoadIdentity = (id: string) => Promise<RequestIdentity | null>

/** Loads an account that may be entered; null also for one that is suspended. */
export async function loadActive(load: LoadIdentity, id: string): Promise<RequestIdentity | null> {
  const identity = await load(id)
  return identity === null || isSuspended(identity) ? null : identity
}
