import { CommanderError } from 'commander'
import { Throwables } from '../base/throwables/throwables.ts'
import { ExitStatus } from './exit-status.ts'
import { explainError } from './explain-error.ts'
import { createProgram } from './program.ts'
import { processTerminal } from './terminal.ts'

/** With `--verbose` reports leave nothing out. */
const wholeReport = 6
/** What reporters get when a command has failed, as when something is thrown that nobody catches. */
const reportersMs = 2_000

/**
 * Runs the `framework` command and resolves with its exit status. A server that was started goes
 * on after that and ends the process itself.
 * @throws what a command threw and no user can mend; the handlers of the process report it and end
 * with status 255.
 */
export async function main(
  argv: readonly string[],
  throwables: Throwables = Throwables,
): Promise<number> {
  // Older releases, which only explain and copy files, cannot load the handlers.
  if (process.features.require_module) throwables.install()
  const terminal = processTerminal()
  let status: number = ExitStatus.Ok
  const program = createProgram(terminal, (ended) => {
    status = ended
  }).on('option:verbose', () => {
    throwables.verbosity = wholeReport
  })
  try {
    if (argv.length === 0) program.outputHelp()
    else await program.parseAsync([...argv], { from: 'user' })
    // A process that failed ends next, whatever it has open; reporters may still be at it.
    if (status !== ExitStatus.Ok) await throwables.settled(reportersMs)
    return status
  } catch (thrown) {
    // Help and the version come this way too; they and the parser's complaints are printed already.
    if (thrown instanceof CommanderError) {
      return thrown.exitCode === 0 ? ExitStatus.Ok : ExitStatus.UsageError
    }
    const explained = explainError(thrown, terminal)
    if (explained === null) throw thrown
    if (program.opts()['verbose'] === true) terminal.err(throwables.render(thrown))
    return explained
  }
}
