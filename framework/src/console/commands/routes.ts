import type { Environments } from '../../settings/environments.ts'
import { enterEnvironment } from '../enter-environment.ts'
import { ExitStatus } from '../../base/terminal/exit-status.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { textTable } from '../../base/terminal/text-table.ts'
import type { ChainAddress, RouteChain } from '../../http/router/route-chains.ts'

/** Options of `framework routes`. */
export interface RoutesFlags {
  readonly project: string
  readonly environment?: Environments
  readonly json?: boolean
  /** Whose chains are printed instead of the list. */
  readonly chain?: ChainAddress
}

/** Lists the routes of a project in the order of their declaration, or what runs for some of them. */
export async function routes(flags: RoutesFlags, terminal: Terminal): Promise<ExitStatus> {
  const { project: root, json, chain } = flags
  const { environment } = enterEnvironment(root, flags.environment)
  const { assembleProject } = await import('../../project/assemble-project.ts')
  const { server } = await assembleProject({ root, environment, workers: 1 })
  const { router, middlewares: shared } = server
  await server.close()
  if (chain !== undefined) {
    const { routeChains } = await import('../../http/router/route-chains.ts')
    return printChains(routeChains(router.all(), shared, chain), flags, terminal)
  }
  const list = router.routes()
  if (json === true) {
    terminal.out(`${JSON.stringify(list, null, 2)}\n`)
    return ExitStatus.Ok
  }
  const rows = list.map(({ method, pattern, name, set, middlewares }) => [
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

function printChains(
  chains: readonly RouteChain[],
  { chain, json }: RoutesFlags,
  terminal: Terminal,
): ExitStatus {
  if (chains.length === 0) {
    const address = [chain?.method, chain?.path].filter(Boolean).join(' ')
    terminal.err(`${terminal.errorPaint.red('error')}: no route for ${address}\n`)
    return ExitStatus.UserError
  }
  if (json === true) {
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
