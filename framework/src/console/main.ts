import { CommanderError } from 'commander'
import { printable } from '../base/encoding/printable.ts'
import { frameworkCode } from '../base/error-codes.ts'
import { ExitStatus } from '../base/terminal/terminal.ts'
import type { Terminal } from '../base/terminal/terminal.ts'
import { toError } from '../base/to-error.ts'
import { Throwables } from '../errors/throwables/throwables.ts'
import { CurrentWork } from '../activity/current-work.ts'
import { activityOf } from './command-activity.ts'
import { createProgram } from './program.ts'
import { processTerminal } from './process-terminal.ts'

/** `Throwables.verbosity` with `--verbose`: complete reports. */
const fullVerbosity = 6
/** How long asynchronous reporters may take after a command has failed. */
const reportersTimeoutMs = 2_000

/**
 * Runs the `framework` command and resolves with its exit status. A server keeps running after that and
 * ends the process itself.
 * @throws unexpected errors of a command; the handlers of the process report them and exit with 255.
 */
export async function main(
  argv: readonly string[],
  throwables: Throwables = Throwables,
): Promise<number> {
  // Older Node versions, which can run only help and `new`, cannot load the handlers.
  if (process.features.require_module) throwables.install()
  const terminal = processTerminal()
  let status: number = ExitStatus.Ok
  const program = createProgram(terminal, (ended) => {
    status = ended
  }).on('option:verbose', () => {
    throwables.verbosity = fullVerbosity
  })
  const activity = activityOf(program, argv)
  const parse = (): Promise<unknown> => program.parseAsync([...argv], { from: 'user' })
  try {
    if (argv.length === 0) program.outputHelp()
    else await (activity === null ? parse() : CurrentWork.runActivity(activity, parse))
    await activity?.ended?.(status, null)
    // After a failure the process exits next; reporters may still be running.
    if (status !== ExitStatus.Ok) await throwables.settled(reportersTimeoutMs)
    return status
  } catch (thrown) {
    await activity?.ended?.(statusOf(thrown), thrown)
    // Also thrown for help and the version. Commander has already printed its output.
    if (thrown instanceof CommanderError) {
      return thrown.exitCode === 0 ? ExitStatus.Ok : ExitStatus.UsageError
    }
    const explained = explainError(thrown, terminal)
    if (explained === null) throw thrown
    if (program.opts()['verbose'] === true) terminal.err(throwables.render(thrown))
    return explained
  }
}

/** The status of a command that ended with an error. */
export function statusOf(thrown: unknown): number {
  if (thrown instanceof CommanderError) return thrown.exitCode
  return frameworkCode(toError(thrown)) === null ? ExitStatus.Uncaught : ExitStatus.UserError
}

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
