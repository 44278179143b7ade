import { ConfigurationError, FrameworkError, invalidArgument } from '../../base/errors.ts'
import { lateModule } from '../../base/late-module.ts'
import { isStandardSchema } from '../../base/schema/standard-schema.ts'
import type { StandardSchema as Schema } from '../../base/schema/standard-schema.ts'
import { ErrorFormats } from '../errors/error-format.ts'
import { checkProblem } from '../errors/problem.ts'
import type * as FormPaths from '../input/form-path.ts'
import { isSafe } from '../request/request.ts'
import { checkUploads, filesOf } from '../request/upload-options.ts'
import { Action } from './action.ts'
import type { ActionOptions, Endpoint } from './action.ts'
import { checkMiddleware, middlewareName } from './middleware.ts'
import type { Middleware } from './middleware.ts'
import type { PathParams } from './path-params.ts'
import { resourceActions, resourceRoutes } from './resource.ts'
import type { ResourceHandlers, ResourceOptions } from './resource.ts'
import { parsePattern, shapeOf } from './route-pattern.ts'
import type { RoutePattern } from './route-pattern.ts'
import type { Handler, Route, RouteOptions, RouteSummary } from './route.ts'

const loadFormPath = lateModule<typeof FormPaths>(import.meta, '../input/form-path')

/** Options of a group of routes. */
export interface GroupOptions {
  /** Middlewares of its routes, inside those of the server. */
  readonly middlewares?: readonly Middleware[]
  /**
   * `json` makes errors problem details (RFC 9457) whatever the client accepts, also for paths with its
   * prefix that have no route.
   * @default the format that the client asks for
   */
  readonly errors?: 'json'
}

/** Shared by the routes of one group. */
interface Group extends Pick<Route, 'set' | 'errorFormat'> {
  readonly prefix: string
  /** Whether its routes give way to others for the same requests. */
  readonly yields: boolean
  readonly middlewares: readonly Middleware[]
}

/** The routes of all groups of one server. */
interface Registry {
  readonly routes: Route[]
  readonly shapes: Map<string, Route>
  /** Of groups whose errors are JSON. */
  readonly jsonPrefixes: string[]
  frozen: boolean
}

/** Declares a route of one method: `router.get('/notes/:id', handler, options)`. */
type AddRoute<This, Outer> = <
  Path extends string,
  Body extends Schema = never,
  Query extends Schema = never,
>(
  path: Path,
  handler: Endpoint<Path, Body, Query, Outer>,
  options?: RouteOptions<Body, Query>,
) => This

/**
 * Declares routes. Two routes that match the same requests are an error that names both. HEAD is
 * served by the GET route and OPTIONS by a list of the methods, unless declared. `Outer` are the
 * parameters of the prefixes of its groups.
 */
export class Router<out Outer = unknown> {
  /** `on` for GET: `router.get(path, handler, options)`. */
  readonly get: AddRoute<this, Outer> = (...route) => this.on('GET', ...route)
  /** `on` for POST: `router.post(path, handler, options)`. */
  readonly post: AddRoute<this, Outer> = (...route) => this.on('POST', ...route)
  /** `on` for PUT: `router.put(path, handler, options)`. */
  readonly put: AddRoute<this, Outer> = (...route) => this.on('PUT', ...route)
  /** `on` for PATCH: `router.patch(path, handler, options)`. */
  readonly patch: AddRoute<this, Outer> = (...route) => this.on('PATCH', ...route)
  /** `on` for DELETE: `router.delete(path, handler, options)`. */
  readonly delete: AddRoute<this, Outer> = (...route) => this.on('DELETE', ...route)
  /** One handler for GET, POST, PUT, PATCH and DELETE. */
  readonly any: AddRoute<this, Outer> = (...route) =>
    this.get(...route)
      .post(...route)
      .put(...route)
      .patch(...route)
      .delete(...route)
  readonly #registry: Registry
  readonly #group: Group

  constructor(
    registry: Registry = { routes: [], shapes: new Map(), jsonPrefixes: [], frozen: false },
    group: Group = { prefix: '', yields: false, middlewares: [], set: null, errorFormat: null },
  ) {
    this.#registry = registry
    this.#group = group
  }

  /**
   * @throws ConfigurationError if another route matches the same requests, InvalidArgumentException for
   *   invalid options.
   */
  on<Path extends string, Body extends Schema = never, Query extends Schema = never>(
    method: string,
    path: Path,
    handler: Endpoint<Path, Body, Query, Outer>,
    options: RouteOptions<Body, Query> = {},
  ): this {
    return this.#declare(method, path, handler, options)
  }

  /**
   * Declares the routes of the records of one kind, `notes.index` to `notes.destroy`: one for each
   * handler. `update` is PUT and PATCH, which a form asks for with its field `_method`.
   * @throws as `on`.
   */
  resource<Path extends string, const Param extends string = ':id'>(
    path: Path,
    handlers: ResourceHandlers<Path, NoInfer<Param>, Outer>,
    options: ResourceOptions<Param> = {},
  ): this {
    const { param, middlewares = [] } = options
    const actions = resourceActions(path, handlers, options)
    for (const { action, methods, path: pattern, name, form } of resourceRoutes(path, param)) {
      const handler = handlers[action]
      if (handler === undefined || !actions.has(action)) continue
      const hasForm = form !== null && actions.has(form.action)
      const isOpen = !(handler instanceof Action) || handler.options.form === undefined
      const page = hasForm && isOpen ? { form: this.#join(form.path) } : {}
      for (const method of methods) {
        this.#declare(method, pattern, handler, { name, middlewares, ...page })
      }
    }
    return this
  }

  #declare(
    method: string,
    path: string,
    handler: Handler<never, never> | Action<never>,
    options: RouteOptions<Schema, Schema>,
  ): this {
    // The route tree passes each handler the parameters of its own pattern, and the input is what the
    // schemas of the route return; types cannot express that.
    const handle: Handler<never, never> = handler instanceof Action ? handler.handle : handler
    if (typeof handle !== 'function') {
      throw invalidArgument(`the handler of ${method} ${path} is not a function`)
    }
    const middlewares = [...this.#group.middlewares, ...(options.middlewares ?? [])]
    for (const middleware of middlewares) checkMiddleware(middleware)
    const target = { method: method.toUpperCase(), pattern: parsePattern(this.#join(path)) }
    const declared = handler instanceof Action ? handler.options : {}
    // Stacks call a function without a name by its route.
    if (handle.name === '') {
      const value = `${target.method} ${target.pattern.text}`
      Reflect.defineProperty(handle, 'name', { value, configurable: true })
    }
    this.#register({
      ...target,
      name: options.name ?? null,
      set: this.#group.set,
      middlewares,
      ...declareInput(target, options, declared),
      errorFormat: options.errors === 'json' ? ErrorFormats.Problem : this.#group.errorFormat,
      handle,
    })
    return this
  }

  /** Declares routes with a common prefix, common middlewares and the same format of errors. */
  group<Prefix extends string>(
    prefix: Prefix,
    declare: (router: Router<Outer & PathParams<Prefix>>) => void,
    options: readonly Middleware[] | GroupOptions = {},
  ): this {
    const { middlewares = [], errors } = isList(options) ? { middlewares: options } : options
    const joined = this.#join(prefix)
    if (errors === 'json') this.#registry.jsonPrefixes.push(joined)
    declare(
      new Router(this.#registry, {
        ...this.#group,
        prefix: joined,
        middlewares: [...this.#group.middlewares, ...middlewares],
        errorFormat: errors === 'json' ? ErrorFormats.Problem : this.#group.errorFormat,
      }),
    )
    return this
  }

  /** A router for a route set; its routes carry the name of the set, and may give way to others. */
  within(set: string, { yields = false }: { readonly yields?: boolean } = {}): Router<Outer> {
    return new Router(this.#registry, { ...this.#group, set, yields })
  }

  /** Every route, in the order of declaration. */
  all(): readonly Route[] {
    return this.#registry.routes
  }

  /** The prefixes of groups whose errors are JSON. */
  get jsonPrefixes(): readonly string[] {
    return this.#registry.jsonPrefixes
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
        if (this.#group.yields) return
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

function isList(options: readonly Middleware[] | GroupOptions): options is readonly Middleware[] {
  return Array.isArray(options)
}

function describe({ method, pattern, set }: Route): string {
  return `route ${method} ${pattern.text}${set === null ? '' : ` of set ${set}`}`
}

type Declared = ActionOptions<Schema, Schema>

/** What is declared about the input of a route, complete. */
type DeclaredInput = Pick<Route, 'uploads' | 'input' | 'form' | 'problems' | 'openapi'>

/**
 * Completes what a route and its action declare.
 * @throws InvalidArgumentException for invalid options, or something that both declare.
 */
function declareInput(
  { method, pattern }: { readonly method: string; readonly pattern: RoutePattern },
  route: Declared,
  action: Declared,
): DeclaredInput {
  const label = `${method} ${pattern.text}`
  for (const name of ['body', 'query', 'form', 'uploads', 'openapi'] as const) {
    if (route[name] === undefined || action[name] === undefined) continue
    throw invalidArgument(`${label} declares "${name}", and so does its action; declare it once`)
  }
  const { body, query, form, uploads, openapi } = { ...action, ...route }
  checkUploads(uploads ?? {})
  const files = filesOf(body)
  if (files !== null && uploads !== undefined) {
    throw invalidArgument(`${label} declares files with its body, and "uploads"; declare them once`)
  }
  for (const [name, schema] of Object.entries({ body, query })) {
    if (schema === undefined || isStandardSchema(schema)) continue
    throw invalidArgument(`"${name}" of ${label} is not a schema (https://standardschema.dev)`)
  }
  if (body !== undefined && isSafe(method)) {
    throw invalidArgument(`${label} declares a body, but ${method} requests have none`)
  }
  const problems = [...(action.problems ?? []), ...(route.problems ?? [])]
  for (const problem of problems) checkProblem(problem)
  return {
    uploads: files?.uploads ?? uploads ?? null,
    input: (body ?? query) ? { body: body ?? null, query: query ?? null } : null,
    form: form === undefined ? null : loadFormPath().formPath(form, pattern),
    problems,
    openapi: openapi ?? null,
  }
}
