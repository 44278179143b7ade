import { toError } from '../base/throwables/to-error.ts'
import { printable } from '../base/encoding/printable.ts'
import { frameworkCode } from '../base/framework-code.ts'
import { ExitStatus } from './exit-status.ts'
import type { Terminal } from './terminal.ts'

/**
 * Tells the user what to mend and gives the exit status: an error of the framework is its message
 * and code, since it says what to do. Null for anything else, which nobody expected.
 */
export function explainError(thrown: unknown, terminal: Terminal): ExitStatus | null {
  const error = toError(thrown)
  const { red, dim } = terminal.errorPaint
  if (error.name === 'AbortError') {
    // Ctrl-C or Ctrl-D in the middle of a question is an answer, not an accident.
    terminal.err('\nstopped\n')
    return ExitStatus.UserError
  }
  const code = frameworkCode(error)
  if (code === null) return null
  terminal.err(`${red('error')} ${printable(error.message)} ${dim(`[${code}]`)}\n`)
  return ExitStatus.UserError
}
