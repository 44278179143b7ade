import { FrameworkError } from '../../base/errors.ts'
import type { Request } from '../request/request.ts'
import { Response } from '../response/response.ts'
import { middlewareName } from './middleware.ts'
import type { Middleware, MiddlewareFunction, Next } from './middleware.ts'

/** A prepared chain: run it with a request and the response to fill. */
export type Chain = (request: Request, response: Response) => Response | Promise<Response>

/**
 * Puts middlewares around a handler, the first one outermost, once at start. What runs for each
 * request is one closure a middleware, and nothing waits that is not a promise.
 */
export function compose(
  middlewares: readonly Middleware[],
  handle: (request: Request, response: Response) => unknown,
): Chain {
  return middlewares.reduceRight<Chain>(
    (inner, middleware) => layer(middleware, inner),
    (request, response) => answer(handle(request, response), response),
  )
}

function layer(middleware: Middleware, inner: Chain): Chain {
  const run: MiddlewareFunction =
    typeof middleware === 'function'
      ? middleware
      : (request, response, next) => middleware.process(request, response, next)
  return (request, response) => {
    // What next() gave, kept for a middleware that calls it and forgets to give it back.
    let reached: Response | Promise<Response> | null = null
    let called = false
    const next: Next = () => {
      if (called)
        throw new FrameworkError(
          'E_NEXT_TWICE',
          `${middlewareName(middleware)} called next() twice`,
        )
      called = true
      reached = inner(request, response)
      return reached
    }
    const outcome = run(request, response, next)
    if (outcome instanceof Response) return outcome
    if (outcome instanceof Promise) {
      return outcome.then((given) => given ?? reached ?? silent(middleware, response))
    }
    return reached ?? silent(middleware, response)
  }
}

function silent(middleware: Middleware, response: Response): Response {
  if (response.answered) return response
  throw new FrameworkError(
    'E_MIDDLEWARE_SILENT',
    `${middlewareName(middleware)} neither called next() nor answered; return next() or fill the response`,
  )
}

function answer(outcome: unknown, response: Response): Response | Promise<Response> {
  if (outcome instanceof Response) return outcome
  if (outcome instanceof Promise) return outcome.then((value) => settle(value, response))
  return response.send(outcome)
}

function settle(value: unknown, response: Response): Response {
  return value instanceof Response ? value : response.send(value)
}
