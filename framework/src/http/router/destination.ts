import type { ErrorFormats } from '../errors/error-format.ts'
import type { Request, RouteUploads } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { Chain, Inner } from './compose.ts'
import type { Middleware } from './middleware.ts'

/** Runs just before a response is sent. */
export type Finisher = (request: Request, response: Response) => void

/** What runs for a request: the chain of its route and the `finish` hooks. */
export interface Destination {
  /** Pattern of the route; null if no route matches. */
  readonly pattern: string | null
  /** The files that the route accepts; null for none. */
  readonly uploads: RouteUploads | null
  /** The format of error responses; null for the one that the client asks for. */
  readonly errorFormat: ErrorFormats | null
  readonly run: Chain
  /** The `finish` methods of the chain's middlewares, inner ones first. */
  readonly finishers: readonly Finisher[]
}

/** The destination of a route, with what its chain was composed of. */
export interface RouteDestination extends Destination {
  /** Its place among all routes. */
  readonly at: number
  /** Of the route, inside those of the server. */
  readonly middlewares: readonly Middleware[]
  readonly inner: Inner
}

/** The `finish` methods of middlewares, inner ones first. */
export function finishersOf(middlewares: readonly Middleware[]): Finisher[] {
  return middlewares
    .flatMap((middleware) => {
      if (typeof middleware === 'function' || middleware.finish === undefined) return []
      return [
        (request: Request, response: Response): void => middleware.finish?.(request, response),
      ]
    })
    .reverse()
}
