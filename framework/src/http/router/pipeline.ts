import { lateModule } from '../../base/late-module.ts'
import { ErrorFormats } from '../errors/error-format.ts'
import { HttpError } from '../errors/http-error.ts'
import { InvalidInput } from '../errors/invalid-input.ts'
import type * as DeclaredInput from '../input/declared-input.ts'
import type * as WayBack from '../input/way-back.ts'
import { isForm } from '../request/form.ts'
import type { Request } from '../request/request.ts'
import { isSafe } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { compose, rethrow } from './compose.ts'
import type { Destination, Inner, RouteDestination } from './compose.ts'
import type * as MethodOverrides from './method-override.ts'
import { finishersOf, joinMiddlewares } from './middleware.ts'
import type { Middleware } from './middleware.ts'
import { orderChain, runsIn } from './order-chain.ts'
import { Phases } from './phases.ts'
import { RouteTree } from './route-tree.ts'
import type { Match } from './route-tree.ts'
import type { Route } from './route.ts'

const loadInput = lateModule<typeof DeclaredInput>(import.meta, '../input/declared-input')
const loadWayBack = lateModule<typeof WayBack>(import.meta, '../input/way-back')
const loadOverrides = lateModule<typeof MethodOverrides>(import.meta, './method-override')

interface PipelineOptions {
  /** Public URL of the site; null if it is not configured. */
  readonly url?: string | null
  /** Below these, the errors of requests without a route are JSON. */
  readonly jsonPrefixes?: readonly string[]
}

/**
 * Finds the route of a request, whose chain of server middlewares, route middlewares and handler is
 * composed once, at startup.
 */
export class Pipeline {
  readonly #trees = new Map<string, RouteTree<RouteDestination>>()
  readonly #shared: readonly Middleware[]
  /** For requests without a route: a 404, a 405 or the response to OPTIONS. */
  readonly unrouted: Destination
  readonly #unsafeUnrouted: Destination
  readonly #url: string | null
  readonly #jsonPrefixes: readonly string[]
  /** Null unless the server checks that forms come from its own pages. */
  readonly #override: MethodOverrides.MethodOverride | null

  constructor(
    routes: readonly Route[],
    shared: readonly Middleware[],
    { url = null, jsonPrefixes = [] }: PipelineOptions = {},
  ) {
    this.#shared = shared
    this.#url = url
    this.#jsonPrefixes = jsonPrefixes
    joinMiddlewares(shared)
    for (const [at, route] of routes.entries()) this.#add(route, at)
    this.unrouted = this.#fallback('GET')
    this.#unsafeUnrouted = this.#fallback('POST')
    this.#override = shared.some((middleware) => runsIn(middleware, Phases.Token))
      ? new (loadOverrides().MethodOverride)({
          shared,
          find: (method, path) => this.#trees.get(method)?.find(path) ?? null,
          refuse: (request, response) => this.#withoutRoute(request, response),
        })
      : null
  }

  /**
   * Finds the destination of a request and sets its `params` and `route`.
   * @throws HttpError 400 for invalid percent-encoding in the path.
   */
  locate(request: Request): Destination {
    const { method, path } = request
    if (method === 'POST' && this.#override !== null && isForm(request.type)) {
      const found = this.#override.locate(path)
      if (found !== null) return direct(request, found.first, found.destination)
    }
    const match = this.#match(method, path)
    return match === null ? this.#unroutedFor(request) : direct(request, match, match.leaf)
  }

  #unroutedFor(request: Request): Destination {
    const { path, method } = request
    const isJson = this.#jsonPrefixes.some((prefix) => isBelow(path, prefix))
    if (isJson) request.errorFormat = ErrorFormats.Problem
    return isSafe(method) ? this.unrouted : this.#unsafeUnrouted
  }

  #add(route: Route, at: number): void {
    const middlewares = [...this.#shared, ...route.middlewares]
    joinMiddlewares(middlewares)
    const { method, errorFormat } = route
    const inner = { handle: handleOf(route), recover: recoverBy(route, this.#url) }
    const destination = {
      pattern: route.pattern.text,
      uploads: route.uploads === null ? null : { options: route.uploads, check: null },
      errorFormat,
      run: compose(orderChain(middlewares, { method, isRouted: true }), inner),
      finishers: finishersOf(middlewares),
      at,
      middlewares: route.middlewares,
      inner,
    }
    const tree = this.#trees.get(method) ?? new RouteTree<RouteDestination>()
    this.#trees.set(method, tree)
    for (const form of route.pattern.forms) tree.add(form, destination)
  }

  #fallback(method: string): Destination {
    const chain = orderChain(this.#shared, { method, isRouted: false })
    return {
      pattern: null,
      uploads: null,
      errorFormat: null,
      run: compose(chain, {
        handle: (request, response) => this.#withoutRoute(request, response),
        recover: rethrow,
      }),
      finishers: finishersOf(this.#shared),
    }
  }

  // HEAD is served by the GET route unless there is a HEAD route for the path.
  #match(method: string, path: string): Match<RouteDestination> | null {
    const match = this.#trees.get(method)?.find(path) ?? null
    if (match !== null || method !== 'HEAD') return match
    return this.#trees.get('GET')?.find(path) ?? null
  }

  #withoutRoute(request: Request, response: Response): Response {
    const { method, path, URI } = request
    const allowed = this.#allowed(path)
    if (allowed.length > 0) {
      const allow = allowed.join(', ')
      if (method === 'OPTIONS') return response.header('Allow', allow).empty()
      const reason = `${method} is not allowed on ${path}; allowed: ${allow}`
      throw new HttpError(405, reason, { headers: { Allow: allow } })
    }
    if (method === 'OPTIONS' && URI === '*') {
      const methods = new Set([...this.#trees.keys(), 'HEAD', 'OPTIONS'])
      return response.header('Allow', [...methods].join(', ')).empty()
    }
    const isRead = method === 'GET' || method === 'HEAD'
    const shorter = isRead && path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : null
    if (shorter !== null && this.#match('GET', shorter) !== null) {
      return response.redirect(shorter + URI.slice(path.length), { status: 308 })
    }
    throw new HttpError(404, `no route for ${method} ${path}`)
  }

  #allowed(path: string): string[] {
    const methods = new Set<string>()
    for (const [method, tree] of this.#trees) {
      if (tree.find(path) === null) continue
      methods.add(method)
      if (method === 'GET') methods.add('HEAD')
    }
    if (methods.size > 0) methods.add('OPTIONS')
    return [...methods]
  }
}

function direct(
  request: Request,
  { params }: Match<RouteDestination>,
  destination: Destination,
): Destination {
  request.params = params
  request.route = destination.pattern
  request.uploads = destination.uploads
  request.errorFormat = destination.errorFormat
  return destination
}

function handleOf(route: Route): Inner['handle'] {
  // Called without the route as its `this`, which would be a part of its name in stacks.
  const { handle: own } = route
  const handle: Inner['handle'] = (request, response) => own(request, response)
  return route.input === null ? handle : loadInput().withInput(route.input, handle)
}

function recoverBy({ form }: Route, url: string | null): WayBack.Recover {
  let recover: WayBack.Recover | null = null
  return (error, request, response) => {
    if (!(error instanceof InvalidInput)) throw error
    recover ??= loadWayBack().wayBack(form, url)
    return recover(error, request, response)
  }
}

function isBelow(path: string, prefix: string): boolean {
  if (!path.startsWith(prefix)) return false
  return path.length === prefix.length || path[prefix.length] === '/' || prefix === '/'
}
