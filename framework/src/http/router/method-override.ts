import { HttpError } from '../errors/http-error.ts'
import type { Request, RouteUploads } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { compose, rethrow } from './compose.ts'
import type { Chain, Destination, RouteDestination } from './compose.ts'
import { finishersOf } from './middleware.ts'
import type { Finisher, Middleware } from './middleware.ts'
import { isFirst, orderChain } from './order-chain.ts'
import type { Match } from './route-tree.ts'

/** Name of the form field. */
const methodField = '_method'

/** The methods of a form: its own, and those it can ask for. */
const formMethods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const
type FormMethod = (typeof formMethods)[number]

type RouteMatch = Match<RouteDestination>
type Candidates = ReadonlyMap<string, RouteDestination>

/** What the override needs of the pipeline. */
export interface OverrideSources {
  readonly shared: readonly Middleware[]
  readonly find: (method: string, path: string) => RouteMatch | null
  /** Responds where no route matches: a 405. */
  readonly refuse: (request: Request, response: Response) => Response
}

/**
 * Forms can only be sent with POST; the field `_method` asks for PUT, PATCH or DELETE instead. It is in the
 * body, which is read only after the CSRF token is due. So a form for a path with such routes first runs
 * through the middlewares of the server and those that all its routes begin with; then the field decides,
 * and the rest of the chain of its route runs.
 */
export class MethodOverride {
  readonly #sources: OverrideSources
  /** By the routes among which the field decides. */
  readonly #destinations = new Map<string, Destination>()

  constructor(sources: OverrideSources) {
    this.#sources = sources
  }

  /**
   * Where a form that was sent with POST goes, and the first of its possible routes; null if `_method` could
   * ask for nothing there.
   */
  locate(path: string): { readonly first: RouteMatch; readonly destination: Destination } | null {
    const found = formMethods.map((method) => this.#sources.find(method, path))
    const [own = null, ...others] = found
    const first = own ?? others.find((match) => match !== null) ?? null
    if (first === null || others.every((match) => match === null)) return null
    const key = found.map((match) => match?.leaf.at ?? '').join(' ')
    const known = this.#destinations.get(key)
    if (known !== undefined) return { first, destination: known }
    const candidates = new Map<string, RouteDestination>()
    for (const [at, match] of found.entries()) {
      if (match !== null) candidates.set(formMethods[at] ?? '', match.leaf)
    }
    const destination = this.#combine(candidates)
    this.#destinations.set(key, destination)
    return { first, destination }
  }

  #combine(candidates: Candidates): Destination {
    const { shared } = this.#sources
    const routes = [...candidates.values()]
    // A guard may look at the parameters, which are called the same only in the same pattern.
    const isSame = routes.every(({ pattern }) => pattern === routes[0]?.pattern)
    const first = isSame ? commonStart(routes.map(firstOf)) : []
    const others = isSame ? commonStart(routes.map(othersOf)) : []
    const common = [...shared, ...first, ...others]
    const rest = new Map<string, readonly Middleware[]>()
    const chains = new Map<string, Chain>()
    for (const [method, route] of candidates) {
      const own = [...firstOf(route).slice(first.length), ...othersOf(route).slice(others.length)]
      rest.set(method, own)
      chains.set(method, compose(orderChain(own, { method, isRouted: true }), route.inner))
    }
    return {
      pattern: routes[0]?.pattern ?? null,
      uploads: commonUploads(candidates, rest),
      errorFormat: routes[0]?.errorFormat ?? null,
      run: compose(
        orderChain(common, { method: 'POST', isRouted: true }),
        {
          handle: (request, response) => this.#dispatch(request, response, chains),
          recover: rethrow,
        },
        null,
      ),
      finishers: finishersFor(common, rest),
    }
  }

  async #dispatch(
    request: Request,
    response: Response,
    chains: ReadonlyMap<string, Chain>,
  ): Promise<Response> {
    const method = askedMethod((await request.form()).fields[methodField])
    const match = this.#sources.find(method, request.path)
    const chain = chains.get(method)
    if (match === null || chain === undefined) return this.#sources.refuse(request, response)
    request.method = method
    request.params = match.params
    request.route = match.leaf.pattern
    request.errorFormat = match.leaf.errorFormat
    return chain(request, response)
  }
}

/** @throws HttpError 400 for anything else: a form that could ask for GET would skip the CSRF token. */
function askedMethod(field: string | undefined): FormMethod {
  const asked = (field ?? 'POST').toUpperCase()
  const method = formMethods.find((known) => known === asked)
  if (method !== undefined) return method
  throw new HttpError(400, `${methodField} must be PUT, PATCH or DELETE`)
}

// Limits run before all others, so each kind is compared on its own.
function firstOf({ middlewares }: RouteDestination): readonly Middleware[] {
  return middlewares.filter(isFirst)
}

function othersOf({ middlewares }: RouteDestination): readonly Middleware[] {
  return middlewares.filter((middleware) => !isFirst(middleware))
}

function commonStart(lists: readonly (readonly Middleware[])[]): readonly Middleware[] {
  const [first = [], ...others] = lists
  const end = first.findIndex((middleware, at) => others.some((list) => list[at] !== middleware))
  return end === -1 ? first : first.slice(0, end)
}

// Those that all routes have in common, and inside them those of the route that was asked for.
function finishersFor(
  common: readonly Middleware[],
  rest: ReadonlyMap<string, readonly Middleware[]>,
): Finisher[] {
  const own = [...new Set([...rest.values()].flat())].flatMap((middleware) =>
    finishersOf([middleware]).map((finish): Finisher => (request, response) => {
      if (rest.get(request.method)?.includes(middleware)) finish(request, response)
    }),
  )
  return [...own.reverse(), ...finishersOf(common)]
}

// Files are stored while the form is read, before it is known for which route: so only if it does not matter
// for how they are stored, and if every guard has run by then.
function commonUploads(
  candidates: Candidates,
  rest: ReadonlyMap<string, readonly Middleware[]>,
): RouteUploads | null {
  const accepting = [...candidates].filter(([, { uploads }]) => uploads !== null)
  const uploads = accepting[0]?.[1].uploads ?? null
  if (uploads === null) return null
  const isSame = accepting.every(([method, route]) => {
    return route.uploads?.options === uploads.options && rest.get(method)?.length === 0
  })
  if (!isSame) return null
  const accepted = new Set(accepting.map(([method]) => method))
  return {
    options: uploads.options,
    check: (fields) => {
      if (accepted.has(askedMethod(fields[methodField]))) return
      throw new HttpError(
        415,
        `${methodField} must come before the first file, and its route accept files`,
      )
    },
  }
}
