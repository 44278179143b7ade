import type { Params, Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { Middleware } from './middleware.ts'
import type { RoutePattern } from './route-pattern.ts'

/** Answers a request: gives back the response, or any value that `response.send` can send. */
export type Handler<P = Params> = (request: Request<P>, response: Response) => unknown

/** What a route has besides its handler. */
export interface RouteOptions {
  /** A name to show and to look it up by. */
  readonly name?: string
  /** Run around this route's handler only, inside those of the server. */
  readonly middlewares?: readonly Middleware[]
}

/** A route as it was declared. */
export interface Route {
  readonly method: string
  readonly pattern: RoutePattern
  readonly name: string | null
  /** Name of the route set it came from. */
  readonly set: string | null
  readonly middlewares: readonly Middleware[]
  handle(request: Request, response: Response): unknown
}

/** A route as a table shows it. */
export interface RouteSummary {
  readonly method: string
  readonly pattern: string
  readonly name: string | null
  readonly set: string | null
  readonly middlewares: readonly string[]
}
