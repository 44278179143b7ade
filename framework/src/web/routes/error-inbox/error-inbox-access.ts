import type { ErrorInbox } from '../../../services/inbox/error-inbox.ts'
import type { Middleware } from '../../router/middleware.ts'

/** An inbox, and who may open it. */
export interface ErrorInboxAccess {
  readonly inbox: ErrorInbox
  /** Middlewares that let only the right people through, the outermost first; at least one. */
  readonly guard: readonly [Middleware, ...Middleware[]]
}
