import { invalidArgument } from '../../base/errors.ts'
import type { InvalidArgumentException } from '../../base/errors.ts'
import type { Endpoint } from './action.ts'
import type { Middleware } from './middleware.ts'

/** The actions of a resource, in the order of their routes. */
const actions = ['index', 'create', 'store', 'show', 'edit', 'update', 'destroy'] as const

/** An action of a resource. */
export type ResourceAction = (typeof actions)[number]

/** The pattern of an action: `/notes/:id/edit` for `edit`. */
export type ResourcePattern<
  Path extends string,
  Param extends string,
  Action extends ResourceAction,
> = Action extends 'index' | 'store'
  ? `/${Path}`
  : Action extends 'create'
    ? `/${Path}/create`
    : Action extends 'edit'
      ? `/${Path}/${Param}/edit`
      : `/${Path}/${Param}`

/** The handlers of a resource; an action without one has no route. */
export type ResourceHandlers<Path extends string, Param extends string, Outer = unknown> = {
  readonly [Action in ResourceAction]?: Endpoint<
    ResourcePattern<Path, Param, Action>,
    never,
    never,
    Outer
  >
}

/** Which actions a resource has, and what its parameter is. */
export interface ResourceActions<Param extends string, Action extends ResourceAction> {
  /** The segment that names one record, such as `:id<int>` or `:slug`. @default ':id' */
  readonly param?: Param
  /** Only these actions. @default all that have a handler */
  readonly only?: readonly Action[]
}

/** Options of `router.resource`. */
export interface ResourceOptions<Param extends string> extends ResourceActions<
  Param,
  ResourceAction
> {
  /** All but these actions. */
  readonly except?: readonly ResourceAction[]
  /** Middlewares of its routes, inside those of the server. */
  readonly middlewares?: readonly Middleware[]
}

/** The patterns of a resource by the names of its routes, for `defineRoutes`. */
export type ResourcePatterns<
  Path extends string,
  Param extends string,
  Action extends ResourceAction,
> = {
  readonly [Each in Action as `${ResourceName<Path>}.${Each}`]: ResourcePattern<Path, Param, Each>
}

// Parameters are not part of the name: the one of `projects/:project/notes` is `projects.notes`.
type ResourceName<Path extends string> = Path extends `${infer Head}/:${string}/${infer Tail}`
  ? `${ResourceName<Head>}.${ResourceName<Tail>}`
  : Path extends `${infer Head}/${infer Tail}`
    ? `${Head}.${ResourceName<Tail>}`
    : Path

/** A route of a resource. */
export interface ResourceRoute {
  readonly action: ResourceAction
  readonly methods: readonly string[]
  readonly path: string
  readonly name: string
  /** The page whose form is sent to it, if it has one. */
  readonly form: { readonly action: ResourceAction; readonly path: string } | null
}

/**
 * The patterns of a resource, to name them: `defineRoutes({ ...resourcePatterns('notes') })` has
 * `notes.index`, `notes.show` and so on.
 */
export function resourcePatterns<
  Path extends string,
  const Param extends string = ':id',
  const Action extends ResourceAction = ResourceAction,
>(path: Path, options?: ResourceActions<Param, Action>): ResourcePatterns<Path, Param, Action>
export function resourcePatterns(
  path: string,
  { param, only = actions }: ResourceActions<string, ResourceAction> = {},
): Readonly<Record<string, string>> {
  const routes = resourceRoutes(path, param).filter(({ action }) => only.includes(action))
  return Object.fromEntries(routes.map((route) => [route.name, route.path]))
}

/**
 * Every route of a resource.
 * @throws InvalidArgumentException unless the path is like `notes` or `projects/:project/notes`.
 */
export function resourceRoutes(path: string, param = ':id'): ResourceRoute[] {
  if (path === '' || path.startsWith('/') || path.endsWith('/') || !param.startsWith(':')) {
    throw invalidArgument(
      `a resource is like "notes" or "projects/:project/notes", and its parameter like ":id", got "${path}" and "${param}"`,
    )
  }
  const name = path
    .split('/')
    .filter((part) => !part.startsWith(':'))
    .join('.')
  const [all, one] = [`/${path}`, `/${path}/${param}`]
  const create = { action: 'create', path: `${all}/create` } as const
  const edit = { action: 'edit', path: `${one}/edit` } as const
  const places = {
    index: { methods: ['GET'], path: all, form: null },
    create: { methods: ['GET'], path: create.path, form: null },
    store: { methods: ['POST'], path: all, form: create },
    show: { methods: ['GET'], path: one, form: null },
    edit: { methods: ['GET'], path: edit.path, form: null },
    update: { methods: ['PUT', 'PATCH'], path: one, form: edit },
    destroy: { methods: ['DELETE'], path: one, form: null },
  } as const
  return actions.map((action) => ({ action, name: `${name}.${action}`, ...places[action] }))
}

/**
 * The actions for which a resource has routes.
 * @throws InvalidArgumentException for one that is listed but has no handler, or is not an action.
 */
export function resourceActions(
  path: string,
  handlers: Readonly<Partial<Record<ResourceAction, unknown>>>,
  { only, except = [] }: Pick<ResourceOptions<string>, 'only' | 'except'>,
): ReadonlySet<ResourceAction> {
  const known: readonly string[] = actions
  for (const action of [...Object.keys(handlers), ...(only ?? []), ...except]) {
    if (!known.includes(action))
      throw invalid(path, `"${action}" is not one of ${actions.join(', ')}`)
  }
  for (const action of only ?? []) {
    if (handlers[action] === undefined) throw invalid(path, `"${action}" has no handler`)
  }
  const wanted = only ?? actions.filter((action) => handlers[action] !== undefined)
  return new Set(wanted.filter((action) => !except.includes(action)))
}

function invalid(path: string, reason: string): InvalidArgumentException {
  return invalidArgument(`the resource "${path}": ${reason}`)
}
