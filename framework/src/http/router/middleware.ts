import { InvalidArgumentException } from '../../base/errors.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { ServerHost } from '../server/server-host.ts'
import type { MiddlewarePhase } from './phases.ts'

/** Runs the rest of the chain and returns its response. May be called once. */
export type Next = () => Response | Promise<Response>

/** The return value of a middleware: a response, or nothing for the response it was given. */
export type MiddlewareOutcome = Response | void | Promise<Response | void>

/** A middleware as a function. */
export type MiddlewareFunction = (
  request: Request,
  response: Response,
  next: Next,
) => MiddlewareOutcome

/** A middleware as an object, with optional hooks. */
export interface MiddlewareObject {
  process(request: Request, response: Response, next: Next): MiddlewareOutcome
  /**
   * Called just before a response is sent, error responses included, in reverse order of the chain:
   * for headers that every response must have.
   */
  finish?(request: Request, response: Response): void
  /**
   * The phase it runs in. One in `guard` promises that it only lets requests through or refuses them, by
   * their headers and session: it runs before the form is read and its token checked.
   * @default where it is written, inside those that are written before it
   */
  readonly phase?: MiddlewarePhase
  /** The middlewares it consists of, each in its own phase. They run instead of `process`. */
  readonly steps?: readonly MiddlewareObject[]
  /** Its name in `framework routes`. @default the name of its class */
  readonly label?: string
  /** Called once at startup with its server. An error stops the server from starting. */
  attach?(server: ServerHost): void
  /**
   * Called at startup for each route it is used on, with the middlewares around it, outermost first.
   * An error stops the server from starting.
   */
  join?(outer: readonly Middleware[]): void
}

/** A function or object that runs around a handler. */
export type Middleware = MiddlewareFunction | MiddlewareObject

/** @throws InvalidArgumentException unless it is a function or has a `process` method. */
export function checkMiddleware(middleware: Middleware): void {
  if (typeof middleware === 'function') return
  if (typeof middleware === 'object' && typeof middleware?.process === 'function') return
  throw new InvalidArgumentException(
    'E_MIDDLEWARE',
    `a middleware must be a function or an object with process(request, response, next), got ${typeof middleware}`,
  )
}

/** Calls `attach` of each middleware once. */
export function attachMiddlewares(middlewares: Iterable<Middleware>, server: ServerHost): void {
  for (const middleware of new Set(middlewares)) {
    if (typeof middleware === 'object') middleware.attach?.(server)
  }
}

/** Calls `join` of each middleware of a chain. */
export function joinMiddlewares(chain: readonly Middleware[]): void {
  for (const [at, middleware] of chain.entries()) {
    if (typeof middleware === 'object') middleware.join?.(chain.slice(0, at))
  }
}

/** Runs just before a response is sent. */
export type Finisher = (request: Request, response: Response) => void

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

/** Maps a response, synchronously if it is not a promise: an `await` would cost time on every request. */
export function mapResponse(
  outcome: Response | Promise<Response>,
  map: (response: Response) => Response | Promise<Response>,
): Response | Promise<Response> {
  return outcome instanceof Promise ? outcome.then(map) : map(outcome)
}

/** The name of a middleware in listings. */
export function middlewareName(middleware: Middleware): string {
  const name =
    typeof middleware === 'function'
      ? middleware.name
      : (middleware.label ?? middleware.constructor.name)
  return name === '' ? 'anonymous middleware' : name
}
