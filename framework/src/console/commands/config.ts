import { resolve } from 'node:path'
import { effectiveTable } from '../../app/config/effective-table.ts'
import { loggedRepeats, requestLogMode } from '../../app/config/log-variables.ts'
import { frameworkScopes } from '../../app/config/framework-scopes.ts'
import { serverScope } from '../../app/config/server-scope.ts'
import type { Variable } from '../../app/config/variable.ts'
import type { Environments } from '../../app/environments/environments.ts'
import { printable } from '../../base/encoding/printable.ts'
import { loadProject } from '../../web/projects/load-project.ts'
import { readSettings } from '../../web/projects/read-settings.ts'
import { enterEnvironment } from '../enter-environment.ts'
import { ExitStatus } from '../exit-status.ts'
import type { Terminal } from '../terminal.ts'
import { textTable } from '../text-table.ts'

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
