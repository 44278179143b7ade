import { CommanderError } from 'commander'
import { ExitStatus } from './exit-status.ts'
import { exitOnUncaught } from './exit-on-uncaught.ts'
import { explainError } from './explain-error.ts'
import { createProgram } from './program.ts'
import { processTerminal } from './terminal.ts'

/**
 * Runs the `framework` command and resolves with its exit status. A server that was started goes
 * on after that and ends the process itself.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const terminal = processTerminal()
  exitOnUncaught(terminal)
  let status: number = ExitStatus.Ok
  const program = createProgram(terminal, (ended) => {
    status = ended
  })
  try {
    if (argv.length === 0) program.outputHelp()
    else await program.parseAsync([...argv], { from: 'user' })
    return status
  } catch (thrown) {
    // Help and the version come this way too; they and the parser's complaints are printed already.
    if (thrown instanceof CommanderError) {
      return thrown.exitCode === 0 ? ExitStatus.Ok : ExitStatus.UsageError
    }
    return explainError(thrown, terminal, program.opts()['verbose'] === true)
  }
}
