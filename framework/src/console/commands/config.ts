import { resolve } from 'node:path'
import { effectiveTable } from '../../settings/effective-table.ts'
import { loggedRepeats, requestLogMode } from '../../logs/logs-settings.ts'
import { frameworkScopes } from '../../project/framework-settings.ts'
import { serverScope } from '../../http/server/server-settings.ts'
import type { Variable } from '../../settings/variable.ts'
import type { Environments } from '../../settings/environments.ts'
import { printable } from '../../base/encoding/printable.ts'
import { loadProject } from '../../project/load-project.ts'
import { readSettings } from '../../project/read-settings.ts'
import { enterEnvironment } from '../enter-environment.ts'
import { ExitStatus } from '../../base/terminal/exit-status.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { textTable } from '../../base/terminal/text-table.ts'

/** Options of `framework config`. */
export interface ConfigFlags {
  readonly project: string
  readonly environment?: Environments
  readonly json?: boolean
}

/** Prints the effective settings, as a table or JSON, with secrets masked. */
export async function config(flags: ConfigFlags, terminal: Terminal): Promise<ExitStatus> {
  const root = resolve(flags.project)
  const source = enterEnvironment(root, flags.environment)
  const project = await loadProject(root)
  const { url, requestLog, nPlusOne } = readSettings(project, source)
  const scopes = [...Object.values(frameworkScopes), ...Object.values(project.configs)]
  const { variables } = serverScope
  const derived = new Map<Variable<unknown>, unknown>([
    [variables.url, url],
    [variables.requestLog, requestLogMode(requestLog, source.environment)],
    [variables.nPlusOne, loggedRepeats(nPlusOne, source.environment)],
  ])
  const settings = effectiveTable(scopes, source, derived)
  if (flags.json === true) {
    const { environment } = source
    terminal.out(`${JSON.stringify({ environment, settings }, null, 2)}\n`)
    return ExitStatus.Ok
  }
  const { bold, dim } = terminal.paint
  const rows = settings.map(({ scope, variable, value, origin, meaning }) => [
    scope,
    variable,
    value === '' ? dim('(empty)') : printable(value),
    origin === 'default' ? dim(origin) : origin,
    dim(meaning),
  ])
  terminal.out(`${dim('environment')}  ${source.environment}\n\n`)
  terminal.out(textTable(['scope', 'variable', 'value', 'origin', 'meaning'], rows, bold))
  return ExitStatus.Ok
}
