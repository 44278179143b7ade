import { FrameworkError } from '../../base/errors.ts'
import type { Recover } from '../input/way-back.ts'
import type { ErrorFormats } from '../errors/error-format.ts'
import type { Request, RouteUploads } from '../request/request.ts'
import { Response } from '../response/response.ts'
import { middlewareName } from './middleware.ts'
import type { Finisher, Middleware, MiddlewareFunction, Next } from './middleware.ts'

/** Middlewares and handler as one function, called with a request and the response to fill. */
export type Chain = (request: Request, response: Response) => Response | Promise<Response>

/** Told when the handlers of routes run, for requests that are traced. */
export interface HandlerWatch {
  /** Before the first of so many middlewares, and when that has returned, perhaps a promise. */
  entered(request: Request, middlewares: number): void
  left(request: Request): void
  /** `middlewares` is the number of those before it. */
  began(request: Request, middlewares: number): void
  /** Called only for an asynchronous handler that succeeds. */
  ended(request: Request): void
}

/** Who watches the handlers of the servers that this process starts. */
export const HandlerWatches: {
  /** Null, at no cost, unless requests are traced or inspected. */
  current: HandlerWatch | null
} = { current: null }

/** What runs inside the middlewares. */
export interface Inner {
  readonly handle: (request: Request, response: Response) => unknown
  /** Gets what it throws. */
  readonly recover: Recover
}

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

/** For handlers whose errors all go to the catcher. */
export function rethrow(error: unknown): never {
  throw error
}

/**
 * Wraps middlewares around a handler, the first one outermost, once at startup. A request costs one
 * closure per middleware and is asynchronous only where a middleware or the handler is.
 */
export function compose(
  middlewares: readonly Middleware[],
  inner: Inner,
  watch: HandlerWatch | null = HandlerWatches.current,
): Chain {
  const handler = watch === null ? unwatched(inner) : watched(inner, watch, middlewares.length)
  const chain = middlewares.reduceRight<Chain>(
    (rest, middleware) => layer(middleware, rest),
    handler,
  )
  return watch === null || middlewares.length === 0
    ? chain
    : entering(chain, watch, middlewares.length)
}

function entering(chain: Chain, watch: HandlerWatch, middlewares: number): Chain {
  return (request, response) => {
    if (!request.isWatched) return chain(request, response)
    watch.entered(request, middlewares)
    try {
      return chain(request, response)
    } finally {
      watch.left(request)
    }
  }
}

function unwatched({ handle, recover }: Inner): Chain {
  return (request, response) => {
    try {
      const result = handle(request, response)
      if (result instanceof Response) return result
      if (result instanceof Promise) return settled(result, recover, request, response)
      return response.send(result)
    } catch (error) {
      return recover(error, request, response)
    }
  }
}

// A function of its own, so that a synchronous handler pays for no closure.
function settled(
  result: Promise<unknown>,
  recover: Recover,
  request: Request,
  response: Response,
): Promise<Response> {
  return result.then(
    (value) => (value instanceof Response ? value : response.send(value)),
    (error: unknown) => recover(error, request, response),
  )
}

function watched({ handle, recover }: Inner, watch: HandlerWatch, middlewares: number): Chain {
  const plain = unwatched({ handle, recover })
  const noted = unwatched({
    recover,
    handle: (request, response) => {
      watch.began(request, middlewares)
      const result = handle(request, response)
      if (!(result instanceof Promise)) return result
      return result.then((value: unknown) => {
        watch.ended(request)
        return value
      })
    },
  })
  return (request, response) => (request.isWatched ? noted : plain)(request, response)
}

function layer(middleware: Middleware, inner: Chain): Chain {
  const run: MiddlewareFunction =
    typeof middleware === 'function'
      ? middleware
      : (request, response, next) => middleware.process(request, response, next)
  return (request, response) => {
    // The result of next(), for a middleware that does not return it.
    let inside: Response | Promise<Response> | null = null
    let called = false
    const next: Next = () => {
      if (called)
        throw new FrameworkError(
          'E_NEXT_TWICE',
          `${middlewareName(middleware)} called next() twice`,
        )
      called = true
      inside = inner(request, response)
      return inside
    }
    const result = run(request, response, next)
    if (result instanceof Response) return result
    if (result instanceof Promise) {
      return result.then((returned) => returned ?? inside ?? filled(middleware, response))
    }
    return inside ?? filled(middleware, response)
  }
}

function filled(middleware: Middleware, response: Response): Response {
  if (response.filled) return response
  throw new FrameworkError(
    'E_MIDDLEWARE_SILENT',
    `${middlewareName(middleware)} neither called next() nor sent a response; return next() or fill the response`,
  )
}
