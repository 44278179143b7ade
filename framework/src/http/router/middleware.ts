import { InvalidArgumentException } from '../../base/errors.ts'
import type { Values } from '../request/query.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { ServerHost } from '../server/server-host.ts'

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

/**
 * The parts of a middleware that has several places in the chain of an unsafe request, a POST for
 * example. All of them run, in this order.
 */
export interface MiddlewareParts {
  /**
   * Runs before the first guard, such as a rate limit, if that comes before the middleware: refuses what
   * must cost nothing. It has neither session nor body.
   */
  readonly screen?: MiddlewareFunction
  /** Runs in the place of the middleware. */
  readonly outer?: MiddlewareFunction
  /**
   * Runs inside the guards that directly follow the middleware, and may read the body. It does not run
   * on paths without a route, unless another middleware follows that could respond.
   */
  readonly inner?: MiddlewareFunction
}

/** A middleware as an object, with optional hooks. */
export interface MiddlewareObject {
  process(request: Request, response: Response, next: Next): MiddlewareOutcome
  /**
   * Called just before a response is sent, error responses included, in reverse order of the chain:
   * for headers that every response must have.
   */
  finish?(request: Request, response: Response): void
  /**
   * Called before the first file of a form is stored, with the fields before it: for a check that the
   * file must wait for. An error refuses the form.
   */
  beforeUpload?(request: Request<unknown>, fields: Values): void | Promise<void>
  /** Whether, as a middleware of a route, it runs before those of the server. */
  readonly early?: boolean
  /**
   * Whether all it does is to let requests through or refuse them, by their head and session. Then it
   * runs before the body is read and the CSRF token checked.
   */
  readonly guard?: boolean
  /**
   * Whether it refuses forms that do not come from a page of this site, as `Csrf` does. Inside it, a form
   * may ask for another method with its field `_method`.
   */
  readonly verifiesForms?: boolean
  /** Used instead of `process` for unsafe requests. */
  readonly parts?: MiddlewareParts
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

/** The name of a middleware in listings. */
export function middlewareName(middleware: Middleware): string {
  const name =
    typeof middleware === 'function'
      ? middleware.name
      : (middleware.label ?? middleware.constructor.name)
  return name === '' ? 'anonymous middleware' : name
}
