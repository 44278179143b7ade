import { toError } from '../base/to-error.ts'
import { printable } from '../base/encoding/printable.ts'
import { frameworkCode } from '../base/framework-code.ts'
import { ExitStatus } from '../base/terminal/exit-status.ts'
import type { Terminal } from '../base/terminal/terminal.ts'

/**
 * Prints the message and code of a framework error, which says what to do, and returns the exit status.
 * Null for any other error.
 */
export function explainError(thrown: unknown, terminal: Terminal): ExitStatus | null {
  const error = toError(thrown)
  const { red, dim } = terminal.errorPaint
  if (error.name === 'AbortError') {
    // Ctrl-C or Ctrl-D at a question is a choice of the user, not an error.
    terminal.err('\nstopped\n')
    return ExitStatus.UserError
  }
  const code = frameworkCode(error)
  if (code === null) return null
  terminal.err(`${red('error')} ${printable(error.message)} ${dim(`[${code}]`)}\n`)
  return ExitStatus.UserError
}
