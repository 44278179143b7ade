import { ExitStatus } from '../../base/terminal/terminal.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { textTable } from '../../base/terminal/text-table.ts'
import type { Middleware } from './middleware.ts'
import { middlewareName } from './middleware.ts'
import { orderChain, phaseOf } from './order-chain.ts'
import { Phases } from './phases.ts'
import { RouteTree } from './route-tree.ts'
import type { Route } from './route.ts'
import type { Router } from './router.ts'

/** Lists the routes in the order of their declaration: those whose row has the text `filter`. */
export function listRoutes(
  router: Router,
  { json, filter }: { readonly json: boolean; readonly filter: string },
  terminal: Terminal,
): ExitStatus {
  const wanted = filter.toLowerCase()
  const routes = router
    .routes()
    .filter((route) => Object.values(route).flat().join(' ').toLowerCase().includes(wanted))
  if (json) {
    terminal.out(`${JSON.stringify(routes, null, 2)}\n`)
    return ExitStatus.Ok
  }
  const rows = routes.map(({ method, pattern, name, set, middlewares }) => [
    paintMethod(method, terminal.paint),
    pattern,
    name ?? '',
    set ?? '',
    middlewares.join(', '),
  ])
  const headings = ['method', 'path', 'name', 'set', 'middlewares']
  terminal.out(textTable(headings, rows, terminal))
  return ExitStatus.Ok
}

// What only reads, what writes, and what deletes.
function paintMethod(method: string, { green, yellow, red }: Terminal['paint']): string {
  if (method === 'DELETE') return red(method)
  return method === 'GET' ? green(method) : yellow(method)
}

/** Whose chains are printed, and how. */
export interface PrintChainsOptions {
  /** Those around every request. */
  readonly middlewares: readonly Middleware[]
  readonly chain: ChainAddress
  readonly json: boolean
}

/** Prints what runs for the routes of an address. */
export function printChains(
  router: Router,
  { middlewares, chain, json }: PrintChainsOptions,
  terminal: Terminal,
): ExitStatus {
  const chains = routeChains(router.all(), middlewares, chain)
  if (chains.length === 0) {
    const address = [chain.method, chain.path].filter(Boolean).join(' ')
    terminal.err(`${terminal.errorPaint.red('error')}: no route for ${address}\n`)
    return ExitStatus.UserError
  }
  if (json) {
    terminal.out(`${JSON.stringify(chains, null, 2)}\n`)
    return ExitStatus.Ok
  }
  const tables = chains.map(({ method, pattern, steps }) => {
    const rows = steps.map(({ phase, name }) => [phase ?? '', name])
    return `${method} ${pattern}\n${textTable(['phase', 'runs'], rows, terminal)}`
  })
  terminal.out(tables.join('\n'))
  return ExitStatus.Ok
}

/** Whose chains are asked for. */
export interface ChainAddress {
  /** In upper case; null for all methods. */
  readonly method: string | null
  /** A path or a pattern. */
  readonly path: string
}

/** One step of a chain, for listings. */
interface ChainStep {
  /** Null for a middleware that runs where it is written. */
  readonly phase: Phases | null
  readonly name: string
}

/** What runs for the requests of a route, in this order. */
interface RouteChain {
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
