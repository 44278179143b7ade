import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { Middleware } from '../router/middleware.ts'

/** Says who sends a request. `Authentication` asks it before a route; a handler may ask it too. */
export interface Guard {
  /** Whether the request is somebody's, who then stands in `request.identity`. */
  authenticate(request: Request, response: Response): boolean | Promise<boolean>
  /**
   * Whether it may know the sender and did not say so, because the answer may never be shown: a guarded
   * route then refuses for now, in place of turning a guest away.
   */
  defers?(request: Request): boolean
  /**
   * Called before the first request for each route it guards, with the middlewares around it, the
   * outermost first; what it throws stops the start.
   */
  join?(outer: readonly Middleware[]): void
  /**
   * What a refusal says is protected.
   * @default 'Protected area'
   */
  readonly realm?: string | undefined
}
