import { ExitStatus } from '../../base/terminal/terminal.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { textTable } from '../../base/terminal/text-table.ts'
import type { Middleware } from './middleware.ts'
import { routeChains } from './route-chains.ts'
import type { ChainAddress } from './route-chains.ts'
import type { Router } from './router.ts'

/** Lists the routes in the order of their declaration. */
export function listRoutes(
  router: Router,
  { json }: { readonly json: boolean },
  terminal: Terminal,
): ExitStatus {
  const routes = router.routes()
  if (json) {
    terminal.out(`${JSON.stringify(routes, null, 2)}\n`)
    return ExitStatus.Ok
  }
  const rows = routes.map(({ method, pattern, name, set, middlewares }) => [
    method,
    pattern,
    name ?? '',
    set ?? '',
    middlewares.join(', '),
  ])
  const headings = ['method', 'path', 'name', 'set', 'middlewares']
  terminal.out(textTable(headings, rows, terminal.paint.bold))
  return ExitStatus.Ok
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
    return `${method} ${pattern}\n${textTable(['phase', 'runs'], rows, terminal.paint.bold)}`
  })
  terminal.out(tables.join('\n'))
  return ExitStatus.Ok
}
