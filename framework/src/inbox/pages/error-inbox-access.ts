import type { ErrorInbox } from '../error-inbox.ts'
import type { Middleware } from '../../http/router/middleware.ts'

/** An inbox, and who may open it. */
export interface ErrorInboxAccess {
  readonly inbox: ErrorInbox
  /**
   * Middlewares that let only the right people through, by the head of a request and its session, the
   * outermost first; at least one. Functions among them run before a form is read.
   */
  readonly guard: readonly [Middleware, ...Middleware[]]
}
