import { InvalidArgumentException } from '../../base/errors.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { ServerHost } from '../server/server-host.ts'

/** Runs the rest of the chain and gives its response. May be called once. */
export type Next = () => Response | Promise<Response>

/** What a middleware may give back: the response, or nothing when it means the one it was given. */
export type MiddlewareOutcome = Response | void | Promise<Response | void>

/** A middleware as a function. */
export type MiddlewareFunction = (
  request: Request,
  response: Response,
  next: Next,
) => MiddlewareOutcome

/** A middleware as an object, with an optional last word on every answer. */
export interface MiddlewareObject {
  process(request: Request, response: Response, next: Next): MiddlewareOutcome
  /**
   * Called right before an answer is written, error answers included, in reverse order of the
   * chain: the place for headers that no answer may lack.
   */
  finish?(request: Request, response: Response): void
  /** A route's middleware with `early` runs before those of the whole server. */
  readonly early?: boolean
  /** Called once before the first request, with the server it runs on; what it throws stops the start. */
  attach?(server: ServerHost): void
  /**
   * Called before the first request for each route it stands on, with the middlewares around it
   * there, the outermost first; what it throws stops the start.
   */
  join?(outer: readonly Middleware[]): void
}

/** What can stand around a handler. */
export type Middleware = MiddlewareFunction | MiddlewareObject

/** @throws InvalidArgumentException unless it is a function or has a `process` method. */
export function checkMiddleware(middleware: Middleware): void {
  if (typeof middleware === 'function') return
  if (typeof middleware === 'object' && typeof middleware?.process === 'function') return
  throw new InvalidArgumentException(
    'E_MIDDLEWARE',
    `a middleware must be a function or an object with process(request, response, next), not ${typeof middleware}`,
  )
}

/** Shows each middleware, once, the server it runs on. */
export function attachMiddlewares(middlewares: Iterable<Middleware>, server: ServerHost): void {
  for (const middleware of new Set(middlewares)) {
    if (typeof middleware === 'object') middleware.attach?.(server)
  }
}

/** Shows each middleware of a chain what stands around it. */
export function joinMiddlewares(chain: readonly Middleware[]): void {
  for (const [at, middleware] of chain.entries()) {
    if (typeof middleware === 'object') middleware.join?.(chain.slice(0, at))
  }
}

/** The name a middleware goes by in error texts. */
export function middlewareName(middleware: Middleware): string {
  const name = typeof middleware === 'function' ? middleware.name : middleware.constructor.name
  return name === '' ? 'anonymous middleware' : name
}
