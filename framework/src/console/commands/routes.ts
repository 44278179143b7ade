import type { Environments } from '../../settings/environments.ts'
import { enterEnvironment } from '../enter-environment.ts'
import { ExitStatus } from '../../base/terminal/exit-status.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { textTable } from '../../base/terminal/text-table.ts'

/** Options of `framework routes`. */
export interface RoutesFlags {
  readonly project: string
  readonly environment?: Environments
  readonly json?: boolean
}

/** Lists the routes of a project in the order of their declaration. */
export async function routes(flags: RoutesFlags, terminal: Terminal): Promise<ExitStatus> {
  const { project: root, json } = flags
  const { environment } = enterEnvironment(root, flags.environment)
  const { assembleProject } = await import('../../project/assemble-project.ts')
  const { server } = await assembleProject({ root, environment, workers: 1 })
  const list = server.router.routes()
  await server.close()
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
