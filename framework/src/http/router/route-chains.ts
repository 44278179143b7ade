import { middlewareName } from './middleware.ts'
import type { Middleware } from './middleware.ts'
import { orderChain, phaseOf } from './order-chain.ts'
import { Phases } from './phases.ts'
import { RouteTree } from './route-tree.ts'
import type { Route } from './route.ts'

/** Whose chains are asked for. */
export interface ChainAddress {
  /** In upper case; null for all methods. */
  readonly method: string | null
  /** A path or a pattern. */
  readonly path: string
}

/** One step of a chain, for listings. */
export interface ChainStep {
  /** Null for a middleware that runs where it is written. */
  readonly phase: Phases | null
  readonly name: string
}

/** What runs for the requests of a route, in this order. */
export interface RouteChain {
  readonly method: string
  readonly pattern: string
  readonly steps: readonly ChainStep[]
}

/**
 * The chains of the routes that match a path, such as `/notes/7`, or have it as their pattern, such as
 * `/notes/:id`; of all methods, or one. `shared` are the middlewares of the server.
 */
export function routeChains(
  routes: readonly Route[],
  shared: readonly Middleware[],
  { method, path }: ChainAddress,
): readonly RouteChain[] {
  const wanted = method === 'HEAD' ? 'GET' : method
  return [...new Set(routes.map((route) => route.method))]
    .filter((one) => wanted === null || one === wanted)
    .flatMap((one) => routeAt(routes, one, path) ?? [])
    .map((route) => chainOf(route, shared))
}

function routeAt(routes: readonly Route[], method: string, path: string): Route | null {
  const tree = new RouteTree<Route>()
  for (const route of routes.filter((one) => one.method === method)) {
    if (route.pattern.text === path) return route
    for (const form of route.pattern.forms) tree.add(form, route)
  }
  return tree.find(path)?.leaf ?? null
}

function chainOf(route: Route, shared: readonly Middleware[]): RouteChain {
  const { method, pattern, input, name } = route
  const written = [...shared, ...route.middlewares]
  const run = orderChain(written, { method, isRouted: true }).map((middleware) => ({
    phase: phaseOf(middleware),
    name: middlewareName(middleware),
  }))
  const schemas = Object.entries(input ?? {}).flatMap(([part, schema]) => (schema ? [part] : []))
  const finishing = written
    .filter((middleware) => typeof middleware === 'object' && middleware.finish !== undefined)
    .toReversed()
  return {
    method,
    pattern: pattern.text,
    steps: [
      ...run,
      ...schemas.map((part) => ({ phase: Phases.Input, name: part })),
      { phase: Phases.Handler, name: name ?? pattern.text },
      ...finishing.map((one) => ({ phase: Phases.Finish, name: middlewareName(one) })),
    ],
  }
}
