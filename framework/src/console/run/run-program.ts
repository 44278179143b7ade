import type { Command } from 'commander'
import type { RunFlags } from '../commands/run.ts'
import { environmentOption, projectOption } from '../program-options.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'

/** Adds `framework run`. What follows the name belongs to the command of the project. */
export function addRunCommand(
  program: Command,
  terminal: Terminal,
  ended: (status: number) => void,
): void {
  const run = program
    .command('run')
    .description('run a command of the project, or list them')
    .usage('[options] [command] [arguments...]')
    .argument('[words...]', 'command with its arguments; `--help` after it explains it')
    .addOption(projectOption())
    .addOption(environmentOption())
    // The options of the command are not known before the project is loaded; `--help` is one of them.
    .allowUnknownOption()
    .helpOption(false)
  run.action(async (words: readonly string[], flags: RunFlags) => {
    const [first] = words
    if (first === '--help' || first === '-h') return run.outputHelp()
    const { runProjectCommand } = await import('../commands/run.ts')
    ended(await runProjectCommand(words, flags, { terminal, parent: run }))
  })
}
