import { ConfigurationError, FrameworkError, InvalidArgumentException } from '../../base/errors.ts'
import { checkUploads } from '../request/upload-options.ts'
import { checkMiddleware, middlewareName } from './middleware.ts'
import type { Middleware } from './middleware.ts'
import type { PathParams } from './path-params.ts'
import { parsePattern, shapeOf } from './route-pattern.ts'
import type { Handler, Route, RouteOptions, RouteSummary } from './route.ts'

/** The methods of `any`. */
const everyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Shared by the routes of one group. */
interface Group {
  readonly prefix: string
  readonly middlewares: readonly Middleware[]
  readonly set: string | null
}

/** The routes of all groups of one server. */
interface Registry {
  readonly routes: Route[]
  readonly shapes: Map<string, Route>
  frozen: boolean
}

/**
 * Declares routes. Two routes that match the same requests are an error that names both. HEAD is
 * served by the GET route and OPTIONS by a list of the methods, unless declared.
 */
export class Router {
  readonly #registry: Registry
  readonly #group: Group

  constructor(
    registry: Registry = { routes: [], shapes: new Map(), frozen: false },
    group: Group = { prefix: '', middlewares: [], set: null },
  ) {
    this.#registry = registry
    this.#group = group
  }

  get<Path extends string>(
    path: Path,
    handler: Handler<PathParams<Path>>,
    options?: RouteOptions,
  ): this {
    return this.on('GET', path, handler, options)
  }

  post<Path extends string>(
    path: Path,
    handler: Handler<PathParams<Path>>,
    options?: RouteOptions,
  ): this {
    return this.on('POST', path, handler, options)
  }

  put<Path extends string>(
    path: Path,
    handler: Handler<PathParams<Path>>,
    options?: RouteOptions,
  ): this {
    return this.on('PUT', path, handler, options)
  }

  patch<Path extends string>(
    path: Path,
    handler: Handler<PathParams<Path>>,
    options?: RouteOptions,
  ): this {
    return this.on('PATCH', path, handler, options)
  }

  delete<Path extends string>(
    path: Path,
    handler: Handler<PathParams<Path>>,
    options?: RouteOptions,
  ): this {
    return this.on('DELETE', path, handler, options)
  }

  /** One handler for GET, POST, PUT, PATCH and DELETE. */
  any<Path extends string>(
    path: Path,
    handler: Handler<PathParams<Path>>,
    options?: RouteOptions,
  ): this {
    for (const method of everyMethod) this.on(method, path, handler, options)
    return this
  }

  /**
   * @throws ConfigurationError if another route matches the same requests, InvalidArgumentException for
   *   invalid options.
   */
  on<Path extends string>(
    method: string,
    path: Path,
    handler: Handler<PathParams<Path>>,
    options: RouteOptions = {},
  ): this {
    if (typeof handler !== 'function') {
      throw new InvalidArgumentException(
        'E_INVALID_ARGUMENT',
        `the handler of ${method} ${path} is not a function`,
      )
    }
    const middlewares = [...this.#group.middlewares, ...(options.middlewares ?? [])]
    for (const middleware of middlewares) checkMiddleware(middleware)
    checkUploads(options.uploads ?? {})
    // The route tree passes each handler the parameters of its own pattern; types cannot express that.
    const handle: Handler<never> = handler
    this.#register({
      method: method.toUpperCase(),
      pattern: parsePattern(this.#join(path)),
      name: options.name ?? null,
      set: this.#group.set,
      middlewares,
      uploads: options.uploads ?? null,
      handle,
    })
    return this
  }

  /** Declares routes with a common prefix and common middlewares. */
  group(
    prefix: string,
    declare: (router: Router) => void,
    middlewares: readonly Middleware[] = [],
  ): this {
    declare(
      new Router(this.#registry, {
        prefix: this.#join(prefix),
        middlewares: [...this.#group.middlewares, ...middlewares],
        set: this.#group.set,
      }),
    )
    return this
  }

  /** A router for a route set; its routes carry the name of the set. */
  within(set: string): Router {
    return new Router(this.#registry, { ...this.#group, set })
  }

  /** Every route, in the order of declaration. */
  all(): readonly Route[] {
    return this.#registry.routes
  }

  /** Every route as text, for listings. */
  routes(): RouteSummary[] {
    return this.#registry.routes.map(({ method, pattern, name, set, middlewares }) => ({
      method,
      pattern: pattern.text,
      name,
      set,
      middlewares: middlewares.map(middlewareName),
    }))
  }

  /** Makes adding further routes an error: the route tree has been built. */
  freeze(): void {
    this.#registry.frozen = true
  }

  #register(route: Route): void {
    const { routes, shapes, frozen } = this.#registry
    const label = describe(route)
    if (frozen)
      throw new FrameworkError('E_FROZEN', `${label} was added after the server had started`)
    for (const form of route.pattern.forms) {
      const shape = `${route.method} ${shapeOf(form)}`
      const other = shapes.get(shape)
      if (other !== undefined) {
        throw new ConfigurationError(
          'E_ROUTE_CONFLICT',
          `${label} can never be reached: ${describe(other)} matches the same requests; remove or change one`,
        )
      }
      shapes.set(shape, route)
    }
    routes.push(route)
  }

  #join(path: string): string {
    const { prefix } = this.#group
    if (prefix === '' || prefix === '/') return path
    return path === '/' || path === '' ? prefix : `${prefix}${path}`
  }
}

function describe({ method, pattern, set }: Route): string {
  return `route ${method} ${pattern.text}${set === null ? '' : ` of set ${set}`}`
}
