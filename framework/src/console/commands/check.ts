import { resolve } from 'node:path'
import type { Environments } from '../../settings/environments.ts'
import { enterEnvironment } from '../enter-environment.ts'
import { ExitStatus } from '../../base/terminal/exit-status.ts'
import { findingsText } from '../findings-text.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'

/** Options of `framework check`. */
export interface CheckFlags {
  readonly project: string
  readonly environment?: Environments
  readonly deploy?: boolean
  readonly json?: boolean
}

/**
 * Prints what would hurt the project in production. With `--deploy` it asks the database too, and the status
 * is 1 if there are errors.
 */
export async function check(flags: CheckFlags, terminal: Terminal): Promise<ExitStatus> {
  const root = resolve(flags.project)
  const source = enterEnvironment(root, flags.environment)
  // Imported here because the environment must be set before any module of the project is loaded.
  const { checkProject } = await import('../../project/check-project.ts')
  const findings = await checkProject({ root, source, asksDatabase: flags.deploy === true })
  const isJson = flags.json === true
  terminal.out(
    isJson ? `${JSON.stringify(findings, null, 2)}\n` : findingsText(findings, terminal.paint),
  )
  const hasErrors = findings.some(({ level }) => level === 'error')
  return flags.deploy === true && hasErrors ? ExitStatus.UserError : ExitStatus.Ok
}
