import { CommanderError } from 'commander'
import { Throwables } from '../errors/throwables/throwables.ts'
import { Scopes } from '../activity/scopes.ts'
import { activityOf, statusOf } from './activity-of.ts'
import { ExitStatus } from '../base/terminal/exit-status.ts'
import { explainError } from './explain-error.ts'
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
    else await (activity === null ? parse() : Scopes.runActivity(activity, parse))
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
