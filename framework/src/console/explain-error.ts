import { inspect } from 'node:util'
import { errorCodes } from '../base/error-codes.ts'
import { toError } from '../base/debugging/to-error.ts'
import { ExitStatus } from './exit-status.ts'
import { printable } from './printable.ts'
import type { Terminal } from './terminal.ts'

/**
 * Tells the user what went wrong and gives the exit status. An error of the framework is its
 * message and code, since it says what to mend; anything else, or with `verbose`, comes with its
 * stack.
 */
export function explainError(thrown: unknown, terminal: Terminal, verbose: boolean): ExitStatus {
  const error = toError(thrown)
  const { red, dim } = terminal.errorPaint
  const code = frameworkCode(error)
  if (error.name === 'AbortError') {
    // Ctrl-C or Ctrl-D in the middle of a question is an answer, not an accident.
    terminal.err('\nstopped\n')
    return ExitStatus.UserError
  }
  if (code === null) {
    terminal.err(`${red('uncaught')} ${printable(inspect(error))}\n`)
    return ExitStatus.Uncaught
  }
  terminal.err(`${red('error')} ${printable(error.message)} ${dim(`[${code}]`)}\n`)
  if (verbose) terminal.err(`${printable(inspect(error))}\n`)
  return ExitStatus.UserError
}

/** The code of an error of the framework, else null; a project may have a copy of its own. */
export function frameworkCode(error: Error): string | null {
  const code = 'code' in error ? error.code : null
  return typeof code === 'string' && Object.hasOwn(errorCodes, code) ? code : null
}
