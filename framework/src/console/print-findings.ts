import { Environments } from '../settings/environments.ts'
import { maskText } from '../base/mask-text.ts'
import { toError } from '../base/to-error.ts'
import type { CheckProjectOptions } from '../project/check-project.ts'
import { findingsText } from './findings-text.ts'
import type { Terminal } from '../base/terminal/terminal.ts'

/**
 * Runs `framework check` for a server that was started in production, and prints the problems it found. It
 * never throws: the server goes on.
 */
export async function printFindings(
  options: CheckProjectOptions,
  terminal: Terminal,
): Promise<void> {
  const { environment } = options.source
  if (environment === Environments.Development || environment === Environments.Test) return
  try {
    const { checkProject } = await import('../project/check-project.ts')
    const findings = (await checkProject(options)).filter(({ level }) => level !== 'note')
    if (findings.length > 0) terminal.err(findingsText(findings, terminal.errorPaint))
  } catch (thrown) {
    terminal.err(`framework check failed: ${maskText(toError(thrown).message)}\n`)
  }
}
