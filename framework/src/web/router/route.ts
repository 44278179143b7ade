import type { Params, Request } from '../request/request.ts'
import type { UploadOptions } from '../request/upload-options.ts'
import type { Response } from '../response/response.ts'
import type { Middleware } from './middleware.ts'
import type { RoutePattern } from './route-pattern.ts'

/** Handles a request. The return value is a `Response`, or a value for `response.send`. */
export type Handler<P = Params> = (request: Request<P>, response: Response) => unknown

/** Options of a route. */
export interface RouteOptions {
  /** Shown by `framework routes`. */
  readonly name?: string
  /** Middlewares of this route only, inside those of the server. */
  readonly middlewares?: readonly Middleware[]
  /**
   * The files that a form may have; `{}` accepts the number and size that the server's limits allow.
   * @default none: a form with a file is refused with 415
   */
  readonly uploads?: UploadOptions
}

/** A declared route. */
export interface Route {
  readonly method: string
  readonly pattern: RoutePattern
  readonly name: string | null
  /** Name of its route set. */
  readonly set: string | null
  readonly middlewares: readonly Middleware[]
  readonly uploads: UploadOptions | null
  handle(request: Request, response: Response): unknown
}

/** A route as text, for listings. */
export interface RouteSummary {
  readonly method: string
  readonly pattern: string
  readonly name: string | null
  readonly set: string | null
  readonly middlewares: readonly string[]
}
